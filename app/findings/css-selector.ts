const LONGEST = 300;

/** Escape in a name. It takes all possible digits: otherwise, a name could be read in 6 ways for each escape. */
const ESCAPE = String.raw`\\(?:(?:[0-9a-f]{6}|[0-9a-f]{1,5}(?![0-9a-f]))\s?|[^\n\r0-9a-f])`;
const NAME = String.raw`(?:--|-?(?:[a-z_\u0080-\uffff]|${ESCAPE}))(?:[\w\u0080-\uffff-]|${ESCAPE})*`;
const TEXT = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`;
const ATTRIBUTE = String.raw`\[\s*${NAME}\s*(?:[~|^$*]?=\s*(?:${NAME}|${TEXT})\s*(?:[is]\s*)?)?\]`;
/** Pseudo-class or pseudo-element. The text in brackets is checked separately: selectors, names, or `2n+1` and the like. */
const PSEUDO = String.raw`::?${NAME}(?:\((?<inside>[^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*)\))?`;
const PART = new RegExp(String.raw`(?:#${NAME}|\.${NAME}|${ATTRIBUTE}|${PSEUDO})`, "iuy");
const TYPE = new RegExp(String.raw`(?:\*|${NAME})`, "iuy");
const COMBINATOR = /\s*[>+~,]\s*|\s+/y;
/** Pseudo-classes with selectors in brackets. */
const OF_SELECTORS = /^:(?:is|not|where|has)\(/i;

/**
 * Whether a browser would accept this CSS selector. Checked without a browser, so that unknown names of pseudo-classes pass.
 */
export function isSelector(typed: string): boolean {
  const text = typed.trim();
  return text.length > 0 && text.length <= LONGEST && isList(text);
}

function isList(text: string): boolean {
  let at = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match;
  };
  for (;;) {
    let parts = take(TYPE) ? 1 : 0;
    for (let part = take(PART); part; part = take(PART)) {
      const after = at;
      if (OF_SELECTORS.test(part[0]) && !isList((part.groups?.inside ?? "").trim().replace(/^[>+~]\s*/, ""))) return false;
      at = after;
      parts += 1;
    }
    if (parts === 0) return false;
    if (at === text.length) return true;
    if (!take(COMBINATOR)) return false;
  }
}
