import { attributeOf, isShortened, type Attribute, type Edit } from "./opening-tag";
import type { Opened, Recipe } from "./recipe";

/** Default that forbids nothing, used if no setting is left. */
const USUAL = "width=device-width, initial-scale=1";

/** Removes the settings that forbid users to zoom to at least `times` the size. */
export function zoomable(times: number): Recipe {
  return ({ tag }: Opened) => {
    const content = attributeOf(tag, "content");
    if (tag.name !== "meta" || !content || isShortened(content)) return null;
    const items = itemsOf(content);
    const forbidding = items.filter(({ text }) => forbidsZoom(text, times));
    if (forbidding.length === 0) return null;
    const kept = items.filter((item) => !forbidding.includes(item) && item.text.trim() !== "");
    return { edits: kept.length > 0 ? leaveOut(forbidding, kept) : [usual(content)], notes: [] };
  };
}

interface Item {
  text: string;
  start: number;
  end: number;
}

/** The settings between commas and semicolons, with their positions in the markup. */
function itemsOf(content: Attribute): Item[] {
  let start = valueStart(content);
  return content.value.split(/[,;]/).map((text) => {
    const item = { text, start, end: start + text.length };
    start = item.end + 1;
    return item;
  });
}

function valueStart({ end, quote, value }: Attribute): number {
  return end - quote.length - value.length;
}

/** Whether a setting forbids zoom, as in axe-core's `meta-viewport-scale`. */
function forbidsZoom(text: string, times: number): boolean {
  const [key = "", value = ""] = text
    .toLowerCase()
    .split("=")
    .map((part) => part.trim());
  const number = Number.parseFloat(value);
  if (value === "") return false;
  if (key === "user-scalable") {
    return Number.isNaN(number)
      ? !["yes", "device-width", "device-height"].includes(value)
      : number > -1 && number < 1;
  }
  if (key !== "maximum-scale" || number < 0) return false;
  return Number.isNaN(number) ? !["device-width", "device-height"].includes(value) : number < times;
}

/** Removes each setting together with its separator. */
function leaveOut(items: Item[], [firstKept]: Item[]): Edit[] {
  if (!firstKept) return [];
  const [leading] = items;
  const textStart = firstKept.end - firstKept.text.trimStart().length;
  const before = leading && leading.start < firstKept.start ? [{ start: leading.start, end: textStart, text: "" }] : [];
  const behind = items.filter(({ start }) => start > firstKept.start);
  return [...before, ...behind.map(({ start, end }) => ({ start: start - 1, end, text: "" }))];
}

function usual(content: Attribute): Edit {
  const start = valueStart(content);
  const text = content.quote ? USUAL : `"${USUAL}"`;
  return { start, end: start + content.value.length, text };
}
