import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { Browser, CDPSession } from "puppeteer";
import { expect, test } from "vitest";
import { abbreviated, abbreviateLongTexts } from "~/scan/browser/long-texts";

const LONG = `"${"ä\n".repeat(40_000)}"`;

function browserOf() {
  const pipe = new PassThrough();
  const connection = {};
  const session = { connection: () => connection } as unknown as CDPSession;
  const browser = { process: () => ({ stdio: [null, null, null, pipe] }) } as unknown as Browser;
  return { pipe, session, browser };
}

test("a message arrives with its long texts as they are, however often they are sent", async () => {
  const { pipe, session, browser } = browserOf();
  abbreviateLongTexts(browser, session);
  const other = LONG.replaceAll("ä", "ö");
  const texts = ["short", LONG, other, LONG];
  const message = JSON.stringify({ id: 1, texts: texts.map((each) => `${abbreviated(session, each)}\n;`) });
  expect(message.length).toBeLessThan(1_000);
  pipe.write(message);
  pipe.end("\0");
  const [sent = ""] = (await text(pipe)).split("\0");
  expect(JSON.parse(sent)).toEqual({ id: 1, texts: texts.map((each) => `${each}\n;`) });
});

test("a browser that was not prepared gets the text itself", () => {
  const { session } = browserOf();
  expect(abbreviated(session, LONG)).toBe(LONG);
});
