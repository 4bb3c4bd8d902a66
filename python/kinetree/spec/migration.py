"""What became of a description at another reference level."""

from typing import NamedTuple


class MigrationNote(NamedTuple):
    """What became of one element.

    Attributes:
        kind: "changed" (so that its physics stay), "warning" (it may move or measure otherwise in some states) or "difference" (it does).
        element: kind and name of the element.
        text: what became of it.
    """

    kind: str
    element: str
    text: str

    def __str__(self):
        return f"{self.element}: {self.text}"


class Migration(NamedTuple):
    """A description of another reference level, and what was done to it.

    Attributes:
        spec: the `MjSpec`.
        notes: a `MigrationNote` for each change, warning and difference.
    """

    spec: object
    notes: list
