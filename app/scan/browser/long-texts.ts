import { randomBytes } from "node:crypto";
import { Writable } from "node:stream";
import type { Browser, CDPSession } from "puppeteer";

/** Minimum length of an abbreviated text; shorter texts cost almost nothing. */
const LONG = 50_000;
/** A random secret, so that no page can contain a text that looks like a mark. */
const SECRET = `rampe-${randomBytes(16).toString("base64url")}`;
const MARK = new RegExp(`${SECRET}-(\\d+)-`);

const numbers = new Map<string, number>();
/** Texts by number, escaped for a JSON string. */
const escaped: Buffer[] = [];
/** Connections whose messages may contain marks. */
const abbreviating = new WeakSet<object>();

/**
 * The same scripts go to every page. Writing hundreds of kilobytes as JSON takes 5 ms and more each time (`tests/bench/page-cost.ts`),
 * and this process answers no visitor meanwhile. With this function, messages to a browser contain a short mark instead, which is
 * replaced by the text as it was escaped the first time.
 * @param root CDP session of the browser, not of a page
 */
export function abbreviateLongTexts(browser: Browser, root: CDPSession): void {
  const pipe = browser.process()?.stdio[3];
  const connection = root.connection();
  if (!(pipe instanceof Writable) || !connection) return;
  const write = pipe.write.bind(pipe) as (chunk: string | Buffer) => boolean;
  pipe.write = (message: string | Buffer) => {
    if (typeof message !== "string" || !message.includes(SECRET)) return write(message);
    // Every second part is the number of a mark.
    const parts = message.split(MARK).map((part, index) => (index % 2 === 0 ? part : escaped[Number(part)]!));
    return parts.map((part) => write(part)).at(-1)!;
  };
  abbreviating.add(connection);
}

/**
 * Mark of a long text, or the text itself if the session's browser accepts no marks.
 * @param text a constant text: it is kept until the process ends
 */
export function abbreviated(session: CDPSession, text: string): string {
  const connection = session.connection();
  if (text.length < LONG || !connection || !abbreviating.has(connection)) return text;
  let number = numbers.get(text);
  if (number === undefined) {
    number = escaped.push(Buffer.from(JSON.stringify(text).slice(1, -1))) - 1;
    numbers.set(text, number);
  }
  return `${SECRET}-${number}-`;
}
