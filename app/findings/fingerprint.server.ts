import { createHash } from "node:crypto";
import type { ElementResult } from "~/scan/types";

type Described = Pick<ElementResult, "target" | "html">;

/** Length of a fingerprint: enough to avoid collisions among all elements of a user's pages. */
const LENGTH = 22;

const GENERATED: [pattern: RegExp, stand: string][] = [
  // Values for one visit: React's `useId`, and UUIDs.
  [/[:«_]r[0-9a-z]{1,6}[:»_]/g, "~"],
  [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, "~"],
  // Timestamps, and other numbers too long to be counts.
  [/\d{10,}/g, "~"],
  [/\b(nonce|integrity|data-reactid)="[^"]*"/g, '$1="~"'],
  // Lengths that scripts measure or animate.
  [/-?\d+(?:\.\d+)?(?=(?:px|%|r?em|deg|vw|vh)\b)/g, "#"],
];

/** Hashes in class and file names, such as `css-1q2w3e` and `main.8f3a2b1c.js`: letters and digits alternate. */
const WORD = /[A-Za-z0-9]{5,}/g;
const TURNS = /\d[A-Za-z]+\d|[A-Za-z]\d+[A-Za-z]/;

/**
 * Fingerprint: recognises an element in other runs, together with rule and page. Built from its source and the last part of
 * its selector, without parts that change per visit. Reviews and acceptances use it as key; violations store it. A changed
 * algorithm loses all answers, and needs a migration that clears `stored_element.fingerprint`.
 */
export function fingerprintOf(element: Described): string {
  const text = `${steadyText(element.html)}\n${lastPart(element.target)}`;
  return createHash("sha256").update(text).digest("base64url").slice(0, LENGTH);
}

/**
 * Strategies to recognise an element in another run, the safest first: unchanged; equal except for parts that change per visit;
 * same source; same selector.
 */
export function identityOf({ html, target }: Described): (strategy: number) => string {
  let source: string | undefined;
  const steadySource = () => (source ??= steadyText(html));
  const strategies = [
    () => `${html}\n${JSON.stringify(target)}`,
    () => `${steadySource()}\n${lastPart(target)}`,
    steadySource,
    () => steadyText(JSON.stringify(target)),
  ];
  return (strategy) => strategies[strategy]?.() ?? "";
}

function steadyText(text: string): string {
  const steady = GENERATED.reduce((rest, [pattern, stand]) => rest.replace(pattern, stand), text);
  return steady.replace(WORD, (word) => (TURNS.test(word) ? "~" : word)).replace(/\s+/g, " ").trim();
}

/** Last part of the innermost selector, without `:nth-child`: a new sibling must not change all others. */
function lastPart(target: Described["target"]): string {
  const step = target.at(-1) ?? "";
  const selector = typeof step === "string" ? step : (step.at(-1) ?? "");
  return steadyText((selector.split(" > ").at(-1) ?? "").replace(/:nth-child\(\d+\)/g, ""));
}
