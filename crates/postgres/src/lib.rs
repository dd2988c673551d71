//! A private PostgreSQL cluster for a server without configuration, and for tests
