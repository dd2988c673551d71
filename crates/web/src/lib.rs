//! Pages, API, sessions and translations.

pub mod i18n;
