"""Differences from the reference that are meant, each with its reason. `docs/conformance.md` explains them."""

# sizes that describe the reference's memory, not the model
SIZES = {"nbuffer", "narena"}

# fields that are not compared
FIELDS = {}
