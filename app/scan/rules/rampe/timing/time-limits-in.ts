/** Time after which a script leaves the page, or ends the session, whatever the user does. */
export interface TimeLimit {
  ms: number;
  /** Beginning of its code. */
  code: string;
  /** Does the code, or the address to which it leads, speak of a session that ends? */
  endsSession: boolean;
}

/** Shorter times are those of effects; WCAG excepts longer times. */
const SHORTEST_MS = 20_000;
const LONGEST_MS = 20 * 3_600_000;
const LONGEST_CALL = 4_000;
const LONGEST_CODE = 120;
/** Limits, because a page may try to waste our time: calls of timers, those with a known time, and looked-up names. */
const MOST_TIMERS = 500;
const MOST_JUDGED = 50;
const MOST_CALLED = 10;
const MOST_NAMES = 40;
const SHORTEST_NAME = 3;

// Variables and other objects have a property with this name too.
const LEAVES =
  /(?<![\w$.])(?<!\b(?:const|let|var)\s+)(?:(?:window|document|self|top|parent|globalThis)\.)*location(?:(?:\.href)?\s*=(?!=)|\.(?:assign|replace|reload)\s*\()|\bhistory\.go\(0\)|(?<!\bfunction\s)\b(?:log|sign)_?out(?!put|l)\w*\s*\(|(?<!\bfunction\s)\babmelden\w*\s*\(/i;
/** Code whose decision depends on an answer from elsewhere, not on the time. */
const ASKS_ELSEWHERE = /\b(fetch|ajax|axios|getJSON|XMLHttpRequest|then|await|postMessage|serviceWorker)\b|\$\.(get|post)\b/;
const IS_CONDITIONAL = /\bif\s*\(|\?|&&|\|\|/;
const ABOUT_SESSIONS = /idle|inactiv|inaktiv|session|sitzung|expir|ablauf|abgelaufen|log_?(out|off)|sign_?out|abmeld/i;
const ENDS_SESSION = /log_?(?:out|off)|sign_?out|abmeld|session|sitzung|(?<!set_?)time[-_]?out|expir|abgelaufen|inactiv|inaktiv/i;
/** Length of the text in which an address stands, after the beginning of the code that leaves. */
const ADDRESS_LENGTH = 200;
const NUMBER = /^[\d_.e]+$/i;

/** Time limits in the source text of a script: calls of timers with a known time whose code leaves the page. */
export function timeLimitsIn(source: string): TimeLimit[] {
  const names = createNames(source);
  const calls = [...source.matchAll(/(?<![\w$])set(?:Timeout|Interval)\s*\(/g)].slice(0, MOST_TIMERS);
  const timers = calls.flatMap(({ 0: call, index }) => {
    const [handler, time] = argumentsFrom(source, index + call.length);
    const ms = time === undefined ? undefined : msOf(time, names);
    return handler !== undefined && ms !== undefined && ms >= SHORTEST_MS && ms <= LONGEST_MS ? [{ ms, handler, code: `${call}${handler}, ${time})` }] : [];
  });
  return timers.slice(0, MOST_JUDGED).flatMap(({ ms, handler, code }) => {
    const whole = codeOf(handler, names).replace(/\s+/g, " ");
    return leaves(whole, handler) ? [{ ms, code: code.replace(/\s+/g, " ").slice(0, LONGEST_CODE), endsSession: endsSession(whole, handler) }] : [];
  });
}

function leaves(code: string, handler: string): boolean {
  const at = code.search(LEAVES);
  const before = code.slice(0, at);
  if (at < 0 || ASKS_ELSEWHERE.test(before)) return false;
  return !IS_CONDITIONAL.test(before) || ABOUT_SESSIONS.test(`${handler} ${code}`);
}

function endsSession(code: string, handler: string): boolean {
  const [left = ""] = code.slice(code.search(LEAVES)).slice(0, ADDRESS_LENGTH).split(/[;}]/, 1);
  return ENDS_SESSION.test(left) || (/^[\w$.]+$/.test(handler) && ABOUT_SESSIONS.test(handler));
}

/** Code of a handler (a function or a text), with that of the functions that it names. */
function codeOf(handler: string, names: Names): string {
  const text = /^(["'`])(.*)\1$/s.exec(handler)?.[2];
  const code = text ?? handler;
  if (/^[\w$.]+$/.test(code)) return `${code}(); ${names.body(code.split(".").at(-1) ?? "")}`;
  const called = [...code.matchAll(/(?<![\w$.])([A-Za-z_$][\w$]*)\s*\(/g)].slice(0, MOST_CALLED);
  return [code, ...called.map(([, name = ""]) => names.body(name))].join("\n");
}

/** Time in ms of a number, a product of numbers, or a name for one; undefined for anything else. */
function msOf(time: string, names?: Names): number | undefined {
  const factors = time.replace(/^\((.*)\)$/s, "$1").split("*").map((factor) => factor.trim());
  const numbers = factors.map((factor) => (NUMBER.test(factor) ? Number(factor.replaceAll("_", "")) : names?.value(factor)));
  return numbers.reduce<number | undefined>((product, number) => (product === undefined || number === undefined || Number.isNaN(number) ? undefined : product * number), 1);
}

/** Meanings of the names in a script. */
interface Names {
  /** Value of a name that is set only once, as a time in ms. */
  value(name: string): number | undefined;
  /** Code of a function; "" if there is none. */
  body(name: string): string;
}

function createNames(source: string): Names {
  const [values, bodies] = [new Map<string, number | undefined>(), new Map<string, string>()];
  return { value: (name) => lookUp(values, name, readValue), body: (name) => lookUp(bodies, name, readBody) ?? "" };

  function lookUp<Found>(known: Map<string, Found>, name: string, read: (word: string) => Found): Found | undefined {
    if (!known.has(name) && known.size < MOST_NAMES && /^[A-Za-z_$][\w$]*$/.test(name)) known.set(name, read(name.replace(/\$/g, "\\$")));
    return known.get(name);
  }

  function readValue(word: string): number | undefined {
    const given = [...source.matchAll(new RegExp(`(?<![\\w$.])${word}\\s*[-+*/]?=(?![=>])\\s*([^;,\\n}]*)`, "g"))].map(([, value = ""]) => value.trim());
    const [value, ...more] = given;
    return value !== undefined && more.length === 0 && /^[\d_.e\s*]+$/i.test(value) ? msOf(value) : undefined;
  }

  /** Code of a function; not for short names, which bundles use again and again. */
  function readBody(word: string): string {
    const [found, ...more] = word.length < SHORTEST_NAME ? [] : [...source.matchAll(new RegExp(`(?<![\\w$.])function\\s+${word}\\s*\\(|(?<![\\w$.])${word}\\s*=\\s*(?:async\\s+)?(?:function\\b|\\([^()]*\\)\\s*=>)`, "g"))];
    const open = !found || more.length > 0 ? -1 : source.indexOf("{", found.index);
    return open < 0 ? "" : textTo(source, open + 1, "}");
  }
}

/** Arguments of a call up to its closing bracket; none if its end is not found. */
function argumentsFrom(source: string, start: number): string[] {
  const text = textTo(source, start, ")");
  if (source[start + text.length] !== ")") return [];
  const found: string[] = [];
  for (let at = 0; at <= text.length; ) {
    const part = textTo(text, at, ",");
    found.push(part.trim());
    at += part.length + 1;
  }
  return found;
}

/** Text up to a sign outside of any string, comment or bracket, or up to the maximum length. */
function textTo(source: string, start: number, sign: string): string {
  const end = Math.min(source.length, start + LONGEST_CALL);
  let depth = 0;
  for (let at = start; at < end; at += 1) {
    const char = source[at] ?? "";
    if (depth === 0 && char === sign) return source.slice(start, at);
    if (/["'`]/.test(char)) at = endOfText(source, at, end);
    else if (char === "/" && source[at + 1] === "/") at = endOfLine(source, at, end);
    else if (/[([{]/.test(char)) depth += 1;
    else if (/[)\]}]/.test(char)) depth -= 1;
    if (depth < 0) break;
  }
  return source.slice(start, end);
}

function endOfText(source: string, start: number, end: number): number {
  for (let at = start + 1; at < end; at += 1) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === source[start]) return at;
  }
  return end;
}

function endOfLine(source: string, start: number, end: number): number {
  const at = source.indexOf("\n", start);
  return at < 0 ? end : at;
}
