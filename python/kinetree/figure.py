"""Plots inside pictures: `mjr_figure` draws an `MjvFigure` into a part of a context's buffer."""

import numpy as np

from kinetree.graphics import _fill, _rect, _write

# margins around text, in pixels of a letter
_PAD = 3
# rows of a letter, and from one line of text to the next
_LETTER, _LINE = 7, 10
_WIDTH = 6


def _ranges(figure, lines):
    """Smallest and largest value of both axes: given, or found in the data, or both."""
    found = []
    for axis in range(2):
        low, high = (float(x) for x in figure.range[axis])
        values = np.concatenate([points[:, axis] for _, points in lines]) if lines else np.zeros(0)
        values = values[np.isfinite(values)]
        given = low < high
        if values.size and (figure.flg_extend or not given):
            low = min(low, values.min()) if given else values.min()
            high = max(high, values.max()) if given else values.max()
        if axis == 1 and figure.flg_symmetric:
            high = max(abs(low), abs(high))
            low = -high
        if not low < high:
            low, high = low - 0.5, low + 0.5
        found.append((float(low), float(high)))
    return found


def _label(form, low, high, share):
    """The value at a share of a range; what is zero but for rounding is zero."""
    value = low + share * (high - low)
    value = 0.0 if abs(value) < 1e-6 * (high - low) else value
    try:
        return form % value
    except (TypeError, ValueError):
        return f"{value:g}"


def _stroke(target, points, width, rgb):
    """Draws a polyline into an array of pixels; points are columns and rows from the lower left."""
    color = np.rint(255 * np.clip(np.array(rgb, float), 0, 1))
    half = max(int(round(width)), 1)
    for a, b in zip(points[:-1], points[1:]):
        if not np.isfinite([a, b]).all():
            continue
        count = int(min(np.abs(b - a).max(), 4 * max(target.shape))) + 2
        x, y = np.rint(np.linspace(a, b, count)).astype(int).T - (half - 1) // 2
        for dx in range(half):
            for dy in range(half):
                inside = (x + dx >= 0) & (x + dx < target.shape[1]) & (y + dy >= 0) & (y + dy < target.shape[0])
                target[y[inside] + dy, x[inside] + dx] = color


def _pane(figure, rect, scale, labels):
    """The rectangle of the plot itself, inside the margins for text."""
    left, bottom, width, height = rect
    pad, line = _PAD * scale, _LINE * scale
    aside = max(map(len, labels[1] + [figure.minwidth])) if figure.flg_ticklabel[1] else 0
    margins = [
        pad + aside * _WIDTH * scale + (pad if aside else 0),
        pad + line * (bool(figure.flg_ticklabel[0]) + bool(figure.xlabel)),
        pad + _WIDTH * scale,
        pad + line * bool(figure.title),
    ]
    return (left + margins[0], bottom + margins[1], max(width - margins[0] - margins[2], 1), max(height - margins[1] - margins[3], 1))


def _grid(figure, con, pane, scale, ticks, labels):
    """Lines of the grid with their values."""
    target = con._buffers()[0][pane[1] : pane[1] + pane[3], pane[0] : pane[0] + pane[2]]
    for axis in range(2):
        for share, text in zip(ticks[axis], labels[axis]):
            at = share * (pane[2 + axis] - 1)
            ends = [[at, 0], [at, pane[3] - 1]] if axis == 0 else [[0, at], [pane[2] - 1, at]]
            _stroke(target, np.array(ends, float), figure.gridwidth, figure.gridrgb)
            if not figure.flg_ticklabel[axis]:
                continue
            extent = len(text) * _WIDTH * scale
            if axis == 0:
                x, y = pane[0] + at - extent / 2, pane[1] - _LINE * scale
            else:
                x, y = pane[0] - extent - _PAD * scale, pane[1] + at - _LETTER * scale / 2
            _write(con, text, x, y, scale, figure.textrgb)


def _legend(figure, con, pane, scale, lines):
    names = [(index, figure.linename[index].decode("utf-8", "replace")) for index, _ in lines]
    names = [(index, name) for index, name in names if name]
    if not names or not figure.flg_legend:
        return
    pad, line = _PAD * scale, _LINE * scale
    width = max(len(name) for _, name in names) * _WIDTH * scale + 2 * pad
    height = len(names) * line + pad
    x, top = pane[0] + pane[2] - width, pane[1] + pane[3] - int(figure.legendoffset) * line
    _fill(con, (x, top - height, width, height), figure.legendrgba)
    for row, (index, name) in enumerate(names, 1):
        _write(con, name, x + pad, top - row * line, scale, figure.linergb[index])


def mjr_figure(viewport, fig, con):
    """Draws a plot: lines or bars, grid, tick labels, title and legend.

    Args:
        viewport: part of the buffer, an `MjrRect` in pixels from the lower left corner.
        fig: the `MjvFigure`.
        con: the `MjrContext`.
    """
    con._flush(True, False)
    rect, scale = _rect(viewport), max(1, con._letter // 2)
    height, width = con._buffers()[0].shape[:2]
    rect = (max(rect[0], 0), max(rect[1], 0), min(rect[2], width - max(rect[0], 0)), min(rect[3], height - max(rect[1], 0)))
    if rect[2] <= 0 or rect[3] <= 0:
        return
    counts = np.clip(fig.linepnt, 0, fig.linedata.shape[1] // 2)
    lines = [(i, np.array(fig.linedata[i, : 2 * n], float).reshape(-1, 2)) for i, n in enumerate(counts) if n > 0]
    ranges = _ranges(fig, lines)
    ticks = [np.linspace(0, 1, max(int(n), 2)) for n in fig.gridsize]
    forms = (fig.xformat, fig.yformat)
    labels = [[_label(forms[k], lo, hi, share) for share in ticks[k]] for k, (lo, hi) in enumerate(ranges)]
    pane = _pane(fig, rect, scale, labels)
    _fill(con, rect, fig.figurergba)
    _fill(con, pane, fig.panergba)
    _grid(fig, con, pane, scale, ticks, labels)
    target = con._buffers()[0][pane[1] : pane[1] + pane[3], pane[0] : pane[0] + pane[2]]
    low = np.array([lo for lo, _ in ranges])
    to_pixels = (np.array(pane[2:]) - 1) / np.array([hi - lo for lo, hi in ranges])
    for index, points in lines:
        pixels = (points - low) * to_pixels
        if fig.flg_barplot:
            zero = float(np.clip(-low[1] * to_pixels[1], 0, pane[3] - 1))
            for x, y in pixels:
                _stroke(target, np.array([[x, zero], [x, y]]), max(fig.linewidth, 0.6 * to_pixels[0]), fig.linergb[index])
        else:
            _stroke(target, pixels, fig.linewidth, fig.linergb[index])
    if fig.flg_selection:
        at = (float(fig.selection) - low[0]) * to_pixels[0]
        _stroke(target, np.array([[at, 0], [at, pane[3] - 1]]), 1, fig.textrgb)
    _legend(fig, con, pane, scale, lines)
    for text, y in ((fig.title, rect[1] + rect[3] - _LINE * scale), (fig.xlabel, rect[1] + _PAD * scale)):
        _write(con, text, rect[0] + (rect[2] - len(text) * _WIDTH * scale) / 2, y, scale, fig.textrgb)
    # where the axes are, for programs that follow the mouse
    fig.xaxispixel[:] = pane[0], pane[0] + pane[2]
    fig.yaxispixel[:] = pane[1], pane[1] + pane[3]
    fig.xaxisdata[:], fig.yaxisdata[:] = ranges
    con._show()


__all__ = ["mjr_figure"]
