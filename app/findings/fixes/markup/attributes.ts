import { attributeOf, isShortened, removeAttribute, setAttribute, type Edit } from "./opening-tag";
import type { Draft, Opened, Recipe } from "./recipe";

/** Takes an attribute away that does harm. */
export function without(name: string): Recipe {
  return ({ html, tag }) => {
    const attribute = attributeOf(tag, name);
    return attribute ? { edits: [removeAttribute(html, attribute)], notes: [] } : null;
  };
}

/** Gives an attribute a value that is right whatever the element is. */
export function withValue(name: string, value: string): Recipe {
  return ({ tag }) =>
    attributeOf(tag, name)?.value === value ? null : { edits: [setAttribute(tag, name, value)], notes: [] };
}

/** The same for an attribute that must be there already. */
export function replacing(name: string, value: string): Recipe {
  return (element) => (attributeOf(element.tag, name) ? withValue(name, value)(element) : null);
}

/** Another id for an element that shares its own with others. */
export function uniqueId({ tag }: Opened): Draft | null {
  const id = attributeOf(tag, "id");
  if (!id?.quote || id.value.trim() === "" || isShortened(id)) return null;
  const end = id.end - 1;
  return { edits: [{ start: end, end, text: "-2" }], notes: ["references"] };
}

/** Lets people change the spacing of text, which a style attribute keeps them from by `!important`. */
export function changeableSpacing({ tag, checks }: Opened): Draft | null {
  const style = attributeOf(tag, "style");
  if (!style?.quote || isShortened(style)) return null;
  const failing = checks.flatMap(({ id }) => (id.startsWith("important-") ? [id.slice("important-".length)] : []));
  const edits: Edit[] = [];
  let start = style.end - 1 - style.value.length;
  for (const declaration of style.value.split(";")) {
    const [property = "", value = ""] = declaration.split(":");
    const important = failing.includes(property.trim().toLowerCase()) ? /\s*!\s*important\s*$/i.exec(value) : null;
    if (important) {
      const end = start + declaration.length;
      edits.push({ start: end - important[0].length, end, text: "" });
    }
    start += declaration.length + 1;
  }
  return edits.length > 0 ? { edits, notes: [] } : null;
}

/** Captions for a video, in a file that somebody has to write. */
export function captioned({ tag, locale, placeholder, word }: Opened): Draft | null {
  if (tag.name !== "video") return null;
  const track = `<track kind="captions" src="${placeholder("captions")}" srclang="${locale}" label="${word("captionsName")}">`;
  return {
    edits: [{ start: tag.end, end: tag.end, text: `\n  ${track}\n` }],
    notes: ["placeholder", "language"],
  };
}
