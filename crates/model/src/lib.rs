//! What things are: `Model`, `Data`, options, enums, names and state vectors. No physics happens here.
#![forbid(unsafe_code)]
