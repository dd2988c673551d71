//! Pages, API, sessions and translations
