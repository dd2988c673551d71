//! Files in and out: the event file
