import type { FixNote } from "~/findings/fixes/fix";
import { attributeOf, isBlank, isShortened, readOpeningTag, setAttribute, type OpeningTag } from "./opening-tag";
import type { Draft, Opened, Placeholder, Recipe } from "./recipe";

/** Empty content, up to the closing tag: it gives no accessible name. */
const NOTHING_INSIDE = /^\s*<\/[a-z][^<>]*>\s*$/i;
const IMAGE = /<img(?=[\t\n\f\r />])/gi;
/** Signs that an image is hidden on purpose. */
const CONCEALED = /hidden|style=|role=/i;

const LONGEST_ID = 40;

/** Adds an accessible name in a missing or empty attribute. */
export function nameBy(attribute: string, text: Placeholder, ...notes: FixNote[]): Recipe {
  return ({ tag, placeholder }) => {
    // A reference to a missing element may only be misspelt.
    if (attributeOf(tag, "aria-labelledby") || !isBlank(attributeOf(tag, attribute))) return null;
    return { edits: [setAttribute(tag, attribute, placeholder(text))], notes: ["placeholder", ...notes] };
  };
}

/** Adds an accessible name to a link or a button: its image's `alt`, text, or `aria-label` for an icon. */
export function nameByContent(text: Placeholder): Recipe {
  return (element) => {
    const { html, tag, placeholder } = element;
    if (attributeOf(tag, "aria-labelledby")) return null;
    const image = soleImage(html, tag);
    if (image) return { edits: [setAttribute(image, "alt", placeholder(text))], notes: ["placeholder"] };
    if (NOTHING_INSIDE.test(html.slice(tag.end))) {
      return { edits: [{ start: tag.end, end: tag.end, text: placeholder(text) }], notes: ["placeholder"] };
    }
    return nameBy("aria-label", text)(element);
  };
}

/** Image without a text alternative, as the element's only content. */
function soleImage(html: string, tag: OpeningTag): OpeningTag | null {
  const inside = html.slice(tag.end);
  const [first, second] = [...inside.matchAll(IMAGE)];
  const aside = inside.replace(/<[^<>]*>/g, "").trim() !== "" || CONCEALED.test(inside);
  if (!first || second || aside) return null;
  const image = readOpeningTag(html, tag.end + first.index);
  return image && isBlank(attributeOf(image, "alt")) ? image : null;
}

/** Adds a `label` element that refers to the `id` of a form field. */
export function labelled({ html, tag, checks, placeholder, word }: Opened): Draft | null {
  if (!["input", "select", "textarea"].includes(tag.name) || attributeOf(tag, "aria-labelledby")) return null;
  // A label exists, but is hidden.
  if (checks.some(({ id }) => id === "hidden-explicit-label")) return null;
  const id = attributeOf(tag, "id");
  if (id && (isShortened(id) || (id.quote === "" && id.value.includes('"')))) return null;

  const proposed = isBlank(id) ? proposedId(tag) || word("fieldId") : null;
  const quote = (proposed === null && id?.quote) || '"';
  const label = `<label for=${quote}${proposed ?? id?.value}${quote}>${placeholder("field")}</label>`;
  // The label of a checkbox or radio button belongs behind it.
  const behind = tag.name === "input" && ["checkbox", "radio"].includes(typeOf(tag));
  return {
    edits: [
      behind ? { start: html.length, end: html.length, text: `\n${label}` } : { start: 0, end: 0, text: `${label}\n` },
      ...(proposed === null ? [] : [setAttribute(tag, "id", proposed)]),
    ],
    notes: proposed === null ? ["placeholder"] : ["placeholder", "uniqueId"],
  };
}

function typeOf(tag: OpeningTag): string {
  return attributeOf(tag, "type")?.value.trim().toLowerCase() ?? "";
}

/** Id from the field's name; "" if there is no usable name. */
function proposedId(tag: OpeningTag): string {
  const name = attributeOf(tag, "name");
  if (!name || isShortened(name)) return "";
  return name.value
    .slice(0, LONGEST_ID)
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^[-0-9]+|-$/g, "");
}

/** Adds a title to the page; it belongs to `head`, not to the reported element. */
export function titled({ placeholder }: Opened): Draft | null {
  const html = "<head>";
  const title = `\n  <title>${placeholder("title")}</title>`;
  return { html, edits: [{ start: html.length, end: html.length, text: title }], notes: ["placeholder", "headTitle"] };
}
