// The text of the model beside the picture, with what is wrong with it at its lines.
import { isText } from "./files.js";

const $ = (id) => document.getElementById(id);

export class Editor {
  #files = new Map();
  #name = "";
  #findings = [];
  #lines = 0;

  /** `onEdit(files)` is called after each change of a text. */
  constructor(onEdit) {
    this.onEdit = onEdit;
    $("text").addEventListener("input", () => this.#edited());
    $("text").addEventListener("scroll", () => this.#scroll());
    $("file").addEventListener("change", () => this.#open($("file").value));
  }

  /** Shows the files of a model, its main one first. */
  show(files, main) {
    this.#files = files;
    const names = [...files.keys()].filter(isText).sort((a, b) => (b === main) - (a === main) || a.localeCompare(b));
    $("file").replaceChildren(...names.map((name) => new Option(name, name)));
    this.#open(names[0] ?? "");
  }

  #open(name) {
    this.#name = name;
    $("file").value = name;
    $("text").disabled = name === "";
    $("text").value = name === "" ? "" : new TextDecoder().decode(this.#files.get(name));
    this.#mark(true);
  }

  #edited() {
    this.#files.set(this.#name, new TextEncoder().encode($("text").value));
    this.#mark(false);
    this.onEdit(this.#files);
  }

  /** Shows what was found, in the list and at the lines. */
  tell(findings) {
    this.#findings = findings;
    const count = (severity, word) => {
      const n = findings.filter((finding) => finding.severity === severity).length;
      return n === 0 ? [] : [`${n} ${word}${n === 1 ? "" : "s"}`];
    };
    $("findings-title").textContent = [...count("error", "error"), ...count("warning", "warning")].join(", ") || "No errors";
    $("findings").replaceChildren(...findings.map((finding) => this.#item(finding)));
    this.#mark(true);
  }

  #item({ severity, message, file, line, column, snippet, help }) {
    const element = (tag, className, text) => Object.assign(document.createElement(tag), { className, textContent: text });
    const button = element("button", severity, "");
    button.append(element("b", "", severity), `: ${message} `);
    if (line > 0) button.append(element("span", "place", `${file ? `${file}:` : ""}${line}:${column}`));
    if (snippet) button.append(element("pre", "", snippet.trimEnd()));
    if (help) button.append(element("span", "help", `help: ${help}`));
    button.addEventListener("click", () => this.#go(file, line, column));
    const item = document.createElement("li");
    item.append(button);
    return item;
  }

  /** Whether a finding is about the file that is shown. */
  #isHere = (file) => file === this.#name || (file === "" && $("file").selectedIndex === 0);

  #go(file, line, column) {
    if (line < 1) return;
    if (!this.#isHere(file) && this.#files.has(file)) this.#open(file);
    const before = $("text").value.split("\n").slice(0, line - 1);
    const at = before.reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
    $("text").focus();
    $("text").setSelectionRange(at, at);
    $("text").scrollTop = Math.max(0, 18 * (line - 5));
  }

  /** Line numbers, coloured where something was found. */
  #mark(always) {
    const lines = $("text").value.split("\n").length;
    if (!always && lines === this.#lines) return;
    this.#lines = lines;
    const worst = new Map();
    for (const { severity, file, line } of this.#findings) {
      if (line > 0 && this.#isHere(file) && worst.get(line) !== "error") worst.set(line, severity);
    }
    const numbers = Array.from({ length: Math.min(lines, 20_000) }, (_, i) => {
      const number = document.createElement("div");
      number.textContent = i + 1;
      number.className = worst.get(i + 1) ?? "";
      return number;
    });
    $("gutter").replaceChildren(...numbers);
    this.#scroll();
  }

  #scroll() {
    $("gutter").scrollTop = $("text").scrollTop;
  }
}
