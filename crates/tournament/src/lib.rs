//! The event: entries, results, scores, standings, pairing and its checker
