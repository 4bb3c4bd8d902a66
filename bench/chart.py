"""Small SVG charts: horizontal bars, sorted ratios, and curves on logarithmic axes. Nothing beyond the standard library."""

import math
from html import escape

WIDTH = 720
COLORS = ["#2b6cb0", "#dd6b20", "#718096"]
FONT = 'font-family="sans-serif" font-size="12"'


def text(x, y, content, anchor="start", extra=""):
    """A line of text."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {FONT} {extra}>{escape(content)}</text>'


def document(height, parts):
    """A whole picture."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}">'
    return "\n".join([head, f'<rect width="{WIDTH}" height="{height}" fill="white"/>', *parts, "</svg>", ""])


def bars(title, rows):
    """Bars for rows of (label, value, low, high), with a line at one."""
    left, right, top, pitch = 190, 60, 40, 24
    scale = (WIDTH - left - right) / max(1.0, max(high for *_, high in rows))
    bottom = top + pitch * len(rows)
    parts = [text(left, 22, title, extra='font-weight="bold"')]
    for i, (label, value, low, high) in enumerate(rows):
        y = top + pitch * i
        parts.append(text(left - 8, y + 13, label, "end"))
        color = COLORS[0] if value >= 1.0 else COLORS[1]
        parts.append(f'<rect x="{left}" y="{y}" width="{value * scale:.1f}" height="16" fill="{color}"/>')
        middle = y + 8
        parts.append(
            f'<path d="M{left + low * scale:.1f} {middle}H{left + high * scale:.1f}" stroke="#1a202c" stroke-width="1.5"/>'
        )
        parts.append(text(left + max(value, high) * scale + 6, y + 13, f"{value:.2f}"))
    one = left + scale
    parts.append(f'<path d="M{one:.1f} {top - 6}V{bottom}" stroke="#1a202c" stroke-dasharray="4 3"/>')
    return document(bottom + 16, parts)


def sorted_ratios(title, label, ratios):
    """Ratios in increasing order over the share of models, on a logarithmic axis with a line at one."""
    left, right, top, bottom, height = 70, 20, 40, 50, 360
    values = sorted(ratios)
    ticks = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
    first = max([tick for tick in ticks if tick <= values[0]], default=ticks[0])
    last = min([tick for tick in ticks if tick >= values[-1]], default=ticks[-1])

    def place(share, ratio):
        up = math.log(ratio / first) / math.log(last / first)
        return left + share * (WIDTH - left - right), height - bottom - up * (height - top - bottom)

    parts = [text(left, 22, title, extra='font-weight="bold"')]
    parts.append(text(left, height - 10, f"share of the {len(values)} models, %; vertical: {label}"))
    for percent in range(0, 101, 25):
        x, y = place(percent / 100, first)
        parts += [f'<path d="M{x:.1f} {y:.1f}V{top}" stroke="#e2e8f0"/>', text(x, y + 16, str(percent), "middle")]
    for tick in ticks:
        if first <= tick <= last:
            x, y = place(0, tick)
            stroke = 'stroke="#1a202c" stroke-dasharray="4 3"' if tick == 1 else 'stroke="#e2e8f0"'
            parts += [f'<path d="M{x:.1f} {y:.1f}H{WIDTH - right}" {stroke}/>', text(x - 6, y + 4, f"{tick:g}", "end")]
    path = " ".join("{:.1f},{:.1f}".format(*place((i + 0.5) / len(values), value)) for i, value in enumerate(values))
    parts.append(f'<polyline points="{path}" fill="none" stroke="{COLORS[0]}" stroke-width="2"/>')
    return document(height, parts)


def decades(low, high):
    """Powers of ten that enclose a range."""
    return range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)


def curves(title, x_label, y_label, series):
    """Curves on logarithmic axes; `series` maps a name to points (x, y)."""
    left, right, top, bottom, height = 70, 20, 40, 50, 360
    points = [p for of in series.values() for p in of]
    x_ticks = decades(min(x for x, _ in points), max(x for x, _ in points))
    y_ticks = decades(min(y for _, y in points), max(y for _, y in points))

    def place(x, y):
        along = (math.log10(x) - x_ticks[0]) / (x_ticks[-1] - x_ticks[0])
        up = (math.log10(y) - y_ticks[0]) / (y_ticks[-1] - y_ticks[0])
        return left + along * (WIDTH - left - right), height - bottom - up * (height - top - bottom)

    parts = [text(left, 22, title, extra='font-weight="bold"'), text(left, height - 10, f"{x_label}; vertical: {y_label}")]
    for tick in x_ticks:
        x, y = place(10.0**tick, 10.0 ** y_ticks[0])
        parts += [f'<path d="M{x:.1f} {y:.1f}V{top}" stroke="#e2e8f0"/>', text(x, y + 16, f"{10**tick:g}", "middle")]
    for tick in y_ticks:
        x, y = place(10.0 ** x_ticks[0], 10.0**tick)
        parts += [f'<path d="M{x:.1f} {y:.1f}H{WIDTH - right}" stroke="#e2e8f0"/>', text(x - 6, y + 4, f"{10.0**tick:g}", "end")]
    for i, (name, of) in enumerate(series.items()):
        color = COLORS[i % len(COLORS)]
        path = " ".join("{:.1f},{:.1f}".format(*place(x, y)) for x, y in of)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        spots = [place(x, y) for x, y in of]
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in spots]
        parts.append(text(left + 10, top + 16 + 16 * i, name, extra=f'fill="{color}"'))
    return document(height, parts)
