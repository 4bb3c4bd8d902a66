"""What a release is made of, and how it is tried: one file for each kind of artefact."""
