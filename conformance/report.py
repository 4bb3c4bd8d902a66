"""Tables: on the screen, as JSON and as an HTML page."""

import html
import json
import math

from conformance.stages import STAGES

# what can become of a file: the first two are passed
OUTCOMES = ("conformant", "refused by both", "failed", "not compared", "unsupported")


class Score:
    """Counts of files. What both engines refuse counts as loaded right and nowhere else; what is unsupported has failed."""

    def __init__(self, rows):
        self.rows = rows
        self.outcomes = {word: sum(r["outcome"] == word for r in rows) for word in OUTCOMES}

    def stage(self, stage):
        """Passed files and files that have this stage: all for loading, else those that the reference loads."""
        passed = sum(bool(r["stages"].get(stage, {}).get("ok")) for r in self.rows)
        return passed, len(self.rows) - (0 if stage == "load" else self.outcomes["refused by both"])

    def passed(self):
        """Files that are conformant (all stages, at all compared states, of which there is one at least) or rightly refused."""
        return self.outcomes["conformant"] + self.outcomes["refused by both"]

    def supported(self):
        """Files that are not refused as unsupported."""
        return len(self.rows) - self.outcomes["unsupported"]

    def lines(self):
        """`(name, passed, of)`: the stages, then the scores."""
        out = [(stage, *self.stage(stage)) for stage in STAGES]
        conformant, loadable = self.outcomes["conformant"], len(self.rows) - self.outcomes["refused by both"]
        out.append(("all stages", conformant, loadable))
        out.append(("  supported", conformant, loadable - self.outcomes["unsupported"]))
        out.append(("all files", self.passed(), len(self.rows)))
        out.append(("  supported", self.passed(), self.supported()))
        return out


def table(rows):
    """The summary as text."""
    score = Score(rows)
    lines = [f"{'stage':<12}{'passed':>8}{'of':>6}{'share':>9}"]
    for name, passed, total in score.lines():
        lines.append(f"{name:<12}{passed:>8}{total:>6}{100.0 * passed / max(1, total):>8.1f}%")
    lines.append(", ".join(f"{count} {word}" for word, count in score.outcomes.items() if count))
    return "\n".join(lines)


def failures(rows, limit):
    """One line for each file that has not passed: first failing stage and worst fields."""
    lines = []
    for row in rows:
        if row["outcome"] in OUTCOMES[:2]:
            continue
        if row["outcome"] == "not compared":
            lines.append(f"{row['path']}: the reference has no state to compare with")
            continue
        stage = row["first_failure"]
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

    return json.dumps({"outcomes": Score(rows).outcomes, "total": len(rows), "models": plain(rows)}, indent=1)


def to_html(rows, version):
    """A page with a row per model."""
    out = ["<!doctype html><meta charset=utf-8><title>Kinetree conformance</title>",
           "<style>body{font:14px sans-serif}td,th{padding:2px 6px;text-align:left}.ok{background:#cfc}.bad{background:#fcc}"
           f"</style><h1>Conformance with MuJoCo {version}</h1><pre>", html.escape(table(rows)), "</pre><table><tr><th>model"]
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
