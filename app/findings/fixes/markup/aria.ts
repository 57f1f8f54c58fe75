import { attributeOf, removeAttribute, setAttribute } from "./opening-tag";
import { dataOf, textsOf, type Draft, type Opened, type Placeholder } from "./recipe";

/** Frequent misspellings of attributes, with the correct name. */
const MEANT: Record<string, string> = {
  "aria-labeledby": "aria-labelledby",
  "aria-labledby": "aria-labelledby",
  "aria-labelby": "aria-labelledby",
  "aria-labelled-by": "aria-labelledby",
  "aria-lable": "aria-label",
  "aria-lablel": "aria-label",
  "aria-describeby": "aria-describedby",
  "aria-described-by": "aria-describedby",
  "aria-discribedby": "aria-describedby",
  "aria-expaned": "aria-expanded",
  "aria-control": "aria-controls",
  "aria-hiden": "aria-hidden",
  "aria-has-popup": "aria-haspopup",
};

/** Placeholder values for attributes that a role requires. */
const VALUES: Record<string, Placeholder> = {
  "aria-checked": "trueOrFalse",
  "aria-expanded": "trueOrFalse",
  "aria-selected": "trueOrFalse",
  "aria-level": "level",
  "aria-valuenow": "value",
  "aria-controls": "reference",
};

/** Attributes that do not change with the element's state. */
const FIXED = ["aria-level", "aria-controls"];

/** Corrects misspelt attributes; removes unknown ones, which have no effect. */
export function knownAttributes({ html, tag, checks }: Opened): Draft | null {
  const edits = textsOf(dataOf(checks, "aria-valid-attr")).flatMap((name) => {
    const attribute = attributeOf(tag, name);
    if (!attribute) return [];
    const meant = Object.hasOwn(MEANT, name) ? MEANT[name]! : "";
    if (!meant || attributeOf(tag, meant)) return [removeAttribute(html, attribute)];
    return [{ start: attribute.start, end: attribute.start + name.length, text: meant }];
  });
  return edits.length > 0 ? { edits, notes: [] } : null;
}

/** Adds the attributes that a role requires. */
export function requiredAttributes({ tag, checks, placeholder }: Opened): Draft | null {
  const missing = textsOf(dataOf(checks, "aria-required-attr"));
  const values = missing.map((name) => (Object.hasOwn(VALUES, name) ? VALUES[name] : undefined));
  // Existing attribute: axe-core does not accept its value, and the intended value is unknown.
  if (missing.length === 0 || values.includes(undefined) || missing.some((name) => attributeOf(tag, name))) return null;
  return {
    edits: missing.map((name, index) => setAttribute(tag, name, placeholder(values[index]!))),
    notes: missing.every((name) => FIXED.includes(name)) ? ["placeholder"] : ["placeholder", "state"],
  };
}

/** Writes values in lower case where only lower case is valid. */
export function lowerCaseValues({ tag, checks }: Opened): Draft | null {
  const data = dataOf(checks, "aria-allowed-attr");
  if (typeof data !== "object" || data === null) return null;
  const { messageKey, values } = data as Record<string, unknown>;
  if (messageKey !== "caseSensitive") return null;
  const names = new Set(textsOf(values).map((written) => written.split("=")[0]!));
  const edits = [...names].flatMap((name) => {
    const attribute = attributeOf(tag, name);
    const lower = attribute?.value.toLowerCase();
    return attribute && lower && lower !== attribute.value ? [setAttribute(tag, attribute.name, lower)] : [];
  });
  return edits.length > 0 ? { edits, notes: [] } : null;
}

/** Removes `aria-checked` from a native checkbox, which has its own checked state. */
export function nativeState({ html, tag, checks }: Opened): Draft | null {
  const data = dataOf(checks, "aria-conditional-attr");
  const checked = attributeOf(tag, "aria-checked");
  const isCheckbox = typeof data === "object" && data !== null && "messageKey" in data && data.messageKey === "checkbox";
  return isCheckbox && checked ? { edits: [removeAttribute(html, checked)], notes: [] } : null;
}
