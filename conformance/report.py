"""Tables: on the screen, as JSON and as an HTML page."""

import html
import json
import math

from conformance.stages import STAGES


def summarize(rows):
    """Number of models that pass each stage, and that pass all."""
    counts = {stage: sum(bool(r["stages"].get(stage, {}).get("ok")) for r in rows) for stage in STAGES}
    counts["all"] = sum(r["first_failure"] is None for r in rows)
    return counts


def table(rows):
    """The summary as text."""
    counts, total = summarize(rows), len(rows)
    lines = [f"{'stage':<12}{'passed':>8}{'of':>6}{'share':>9}"]
    for stage in [*STAGES, "all"]:
        share = 100.0 * counts[stage] / total if total else 0.0
        lines.append(f"{stage:<12}{counts[stage]:>8}{total:>6}{share:>8.1f}%")
    return "\n".join(lines)


def failures(rows, limit):
    """One line for each failing model: first failing stage and worst fields."""
    lines = []
    for row in rows:
        stage = row["first_failure"]
        if stage is None:
            continue
        entry = row["stages"].get(stage, {})
        detail = entry.get("message") or f"{', '.join(entry.get('failed', [])[:4])} (worst {entry.get('error', 0):.2g})"
        lines.append(f"{row['path']}: {stage}: {detail.splitlines()[0] if detail else ''}")
    if limit and len(lines) > limit:
        lines = lines[:limit] + [f"… and {len(lines) - limit} more"]
    return "\n".join(lines)


def to_json(rows):
    """All rows as JSON; infinities become text."""
    def plain(value):
        if isinstance(value, float) and not math.isfinite(value):
            return str(value)
        if isinstance(value, dict):
            return {k: plain(v) for k, v in value.items()}
        if isinstance(value, list):
            return [plain(v) for v in value]
        return value

    return json.dumps({"summary": summarize(rows), "total": len(rows), "models": plain(rows)}, indent=1)


def to_html(rows):
    """A page with a row per model."""
    out = ["<!doctype html><meta charset=utf-8><title>Kinetree conformance</title>",
           "<style>body{font:14px sans-serif}td,th{padding:2px 6px;text-align:left}.ok{background:#cfc}.bad{background:#fcc}"
           "</style><h1>Conformance with MuJoCo 3.8.0</h1><pre>", html.escape(table(rows)), "</pre><table><tr><th>model"]
    out += [f"<th>{stage}" for stage in STAGES]
    for row in rows:
        out.append(f"<tr><td>{html.escape(row['path'])}")
        for stage in STAGES:
            entry = row["stages"].get(stage)
            if entry is None:
                out.append("<td>")
                continue
            tip = entry.get("message") or f"{entry.get('field', '')} {entry.get('error', 0):.2g}"
            text = "ok" if entry["ok"] else ", ".join(entry.get("failed", [])[:2]) or "failed"
            css = "ok" if entry["ok"] else "bad"
            out.append(f'<td class={css} title="{html.escape(tip)}">{html.escape(text)}')
    out.append("</table>")
    return "".join(out)
