// What tools/docs/browser_check.mjs asks a page, in the browser: these functions use nothing from outside of themselves.

/** How much wider the page is than its window, what reaches beyond it without a part that scrolls around it, and what is cut off. */
export function measureWidth() {
  // of the layout: where a page is too wide, a phone zooms out, and `innerWidth` grows with it
  const width = document.documentElement.clientWidth;
  const wider = (node) => node.scrollWidth > node.clientWidth + 1;
  const scrolls = (node) => /auto|scroll/.test(getComputedStyle(node).overflowX) && wider(node);
  const hides = (node) => /hidden|clip/.test(getComputedStyle(node).overflowX) && wider(node);
  const name = (node) => `${node.tagName.toLowerCase()} "${(node.textContent || node.src || "").trim().replace(/\s+/g, " ").slice(0, 60)}"`;
  const [beyond, cut] = [[], []];
  for (const node of document.querySelectorAll("article *")) {
    const box = node.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) continue;
    let scrolled = false;
    for (let up = node.parentElement; up && up.tagName !== "ARTICLE"; up = up.parentElement) scrolled ||= scrolls(up);
    if (scrolled) continue;
    if (box.right > width + 1) beyond.push(name(node));
    if (hides(node) && node.textContent.trim()) cut.push(name(node));
  }
  return { excess: document.documentElement.scrollWidth - width, beyond, cut };
}

/** Texts whose contrast with what is behind them is below WCAG's level AA: 4.5, or 3 for large letters. One of each style. */
export function measureContrast() {
  const parse = (text) => {
    const [r, g, b, alpha = 1] = text.match(/[\d.]+/g).map(Number);
    return { rgb: [r, g, b], alpha };
  };
  const over = ({ rgb, alpha }, below) => rgb.map((value, i) => value * alpha + below[i] * (1 - alpha));
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((value) => (value <= 10.31475 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (node) => {
    const layers = [];
    for (let up = node; up; up = up.parentElement) layers.unshift(parse(getComputedStyle(up).backgroundColor));
    return layers.reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const faults = new Map();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode.parentElement;
    const box = node.getBoundingClientRect();
    if (!texts.currentNode.textContent.trim() || box.width === 0 || box.height === 0) continue;
    const style = getComputedStyle(node);
    const ground = behind(node);
    const both = [luminance(ground), luminance(over(parse(style.color), ground))];
    const ratio = (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) {
      faults.set(`${node.className} ${style.color}`, `${ratio.toFixed(1)}: ${texts.currentNode.textContent.trim().slice(0, 40)}`);
    }
  }
  return [...faults.values()];
}
