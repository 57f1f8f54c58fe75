import { attributeOf, isShortened, removeAttribute, setAttribute, type Edit } from "./opening-tag";
import type { Draft, Opened, Recipe } from "./recipe";

/** Removes a harmful attribute. */
export function without(name: string): Recipe {
  return ({ html, tag }) => {
    const attribute = attributeOf(tag, name);
    return attribute ? { edits: [removeAttribute(html, attribute)], notes: [] } : null;
  };
}

/** Sets an attribute to a value that is right for every element. */
export function withValue(name: string, value: string): Recipe {
  return ({ tag }) =>
    attributeOf(tag, name)?.value === value ? null : { edits: [setAttribute(tag, name, value)], notes: [] };
}

/** Sets an attribute only if the element already has it. */
export function replacing(name: string, value: string): Recipe {
  return (element) => (attributeOf(element.tag, name) ? withValue(name, value)(element) : null);
}

/** A new id for an element whose id is not unique. */
export function uniqueId({ tag }: Opened): Draft | null {
  const id = attributeOf(tag, "id");
  if (!id?.quote || id.value.trim() === "" || isShortened(id)) return null;
  const end = id.end - 1;
  return { edits: [{ start: end, end, text: "-2" }], notes: ["references"] };
}

/** Removes `!important` from the style attribute, so that users can change the spacing of text. */
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

/** Captions for a video; a person has to write the file. */
export function captioned({ tag, locale, placeholder, word }: Opened): Draft | null {
  if (tag.name !== "video") return null;
  const track = `<track kind="captions" src="${placeholder("captions")}" srclang="${locale}" label="${word("captionsName")}">`;
  return {
    edits: [{ start: tag.end, end: tag.end, text: `\n  ${track}\n` }],
    notes: ["placeholder", "language"],
  };
}
