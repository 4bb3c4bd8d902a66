//! Whether a range is enforced, and when that is ambiguous.

use crate::spec::Limited;

/// True when the range is enforced.
pub(crate) fn is_limited(limited: Limited, range: &[f64; 2]) -> bool {
    match limited {
        Limited::False => false,
        Limited::True => true,
        Limited::Auto => range[0] < range[1],
    }
}

/// The same, but a range that is given without its switch is an error unless limits are inferred.
/// `attribute` is the prefix of the range's name.
pub(crate) fn resolve_limit(
    limited: Limited,
    range: &[f64; 2],
    autolimits: bool,
    attribute: &str,
) -> Result<bool, String> {
    if !autolimits && limited == Limited::Auto && *range != [0.0; 2] {
        return Err(format!(
            "has '{attribute}range' but not '{attribute}limited': set '{attribute}limited', remove the range, or set \
             autolimits=\"true\" in <compiler>"
        ));
    }
    Ok(is_limited(limited, range))
}
