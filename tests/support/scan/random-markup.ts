/** Pseudo-random numbers from 0 to below 1, the same for the same seed (mulberry32). */
function seededNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const TEXTS = ["", " ", "\n  ", "&nbsp;", "word", "two words ", " · ", "1", "a longer piece of text, with a comma"];

/** Styles without `content-visibility: hidden`: the browser delays its layout until the first query. */
const STYLES = [
  ...["inline", "inline-block", "inline-flex", "block", "flex", "grid", "table", "table-cell", "list-item"],
  ...["contents", "none"],
]
  .map((display) => `display: ${display}`)
  .concat(
    "visibility: hidden",
    "visibility: hidden; display: block",
    "visibility: visible",
    "opacity: 0",
    "opacity: 0.5; mix-blend-mode: multiply",
    "position: relative; top: -10px; z-index: 1",
    "position: absolute; left: -9999px",
    "position: absolute; left: 20px; width: 30px",
    "position: fixed; top: 0",
    "float: left",
    "float: right; width: 10px",
    "overflow: hidden; height: 0; display: block",
    "overflow: hidden; width: 40px; height: 20px; display: inline-block",
    "clip-path: inset(50%)",
    "font-size: 0",
    "pointer-events: none",
    "background: #888; color: #999",
    "width: 5px; height: 5px; display: inline-block",
    "margin: -8px",
  );

const INLINE = ["span", "b", "em", "label", "abbr", "slot", "custom-element"];
const BLOCK = ["div", "p", "section", "li", "h2", "blockquote", "summary", "details", "td"];
const WIDGET = [
  'a href="#"',
  'a href="#" tabindex="-1"',
  "a",
  'a href="#" role="button"',
  'a href="#" role="link"',
  'a href="#" role="none"',
  "button",
  "button disabled",
  'span role="button" tabindex="0"',
  'span role="link" tabindex="0"',
  'div role="checkbox" tabindex="0"',
  'div role="tab" tabindex="-1"',
  'br role="link" tabindex="0"',
];
const WHOLE = [
  "<br>",
  "<hr>",
  "<!-- comment -->",
  '<input type="checkbox">',
  '<input value="typed">',
  '<img alt="" width="10" height="10">',
  "<select><option>one<option>two</select>",
  '<svg width="20" height="20"><a href="#"><text y="10">svg</text></a></svg>',
  '<map name="m"><area href="#" alt="area"></map><img usemap="#m" alt="map" width="9" height="9">',
  "<script>var text</script>",
  '<area href="#" tabindex="0">',
];

/** Small body with randomly nested blocks, inline content and widgets: hidden, positioned, in shadow trees. */
export function randomMarkup(seed: number): string {
  const next = seededNumbers(seed);
  const pick = <Item>(items: Item[]): Item => items[Math.floor(next() * items.length)] as Item;
  return content(0);

  function content(depth: number): string {
    const count = Math.floor(next() * (depth === 0 ? 12 : 5));
    return Array.from({ length: count }, () => piece(depth)).join("");
  }

  function piece(depth: number): string {
    const kind = next();
    if (kind < 0.35 || depth > 5) return pick(TEXTS);
    if (kind < 0.55) return element(pick(WIDGET), depth);
    if (kind < 0.7) return element(pick(INLINE), depth);
    if (kind < 0.82) return element(pick(BLOCK), depth);
    if (kind < 0.92) return pick(WHOLE);
    return withShadow(depth);
  }

  function element(start: string, depth: number): string {
    const style = next() < 0.4 ? ` style="${pick(STYLES)}"` : "";
    const slot = next() < 0.1 ? ' slot="named"' : "";
    const name = start.split(" ")[0];
    if (name === "br") return `<${start}${style}>`;
    return `<${start}${style}${slot}>${content(depth + 1)}</${name}>`;
  }

  function withShadow(depth: number): string {
    const style = next() < 0.4 ? ` style="${pick(STYLES)}"` : "";
    const slots = `<slot>${content(depth + 1)}</slot>${content(depth + 1)}<slot name="named">${content(depth + 1)}</slot>`;
    const inside = `${content(depth + 1)}${next() < 0.8 ? slots : ""}`;
    return `<div${style}><template shadowrootmode="open">${inside}</template>${content(depth + 1)}</div>`;
  }
}
