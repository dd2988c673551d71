//! The independent judge of a table: shares no code with [`pairing`](crate::pairing).
