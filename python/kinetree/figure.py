"""Plots inside pictures: `mjr_figure` draws an `MjvFigure` into a part of a context's buffer."""

from kinetree.graphics import _rect


def mjr_figure(viewport, fig, con):
    """Draws a plot: lines or bars, grid, tick labels, title and legend.

    Args:
        viewport: part of the buffer, an `MjrRect` in pixels from the lower left corner.
        fig: the `MjvFigure`.
        con: the `MjrContext`.
    """
    con._open().figure(_rect(viewport), fig)
    con._show()


__all__ = ["mjr_figure"]
