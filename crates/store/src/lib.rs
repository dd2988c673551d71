//! PostgreSQL: queries, transactions and the log of changes
