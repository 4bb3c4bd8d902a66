//! Pure geometry: shapes, narrow phase, GJK and EPA, bounding volumes, broad phase and rays. Knows nothing of `Model` and `Data`.
#![forbid(unsafe_code)]
