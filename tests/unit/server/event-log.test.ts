import type { Logger } from "pino";
import { expect, test } from "vitest";
import { eventLog } from "~/server/event-log.server";

test.each([
  ["mail attempt failed", {}, "info"],
  ["mail given up", { responseCode: 550 }, "error"],
  ["outbox could not be read or written", { err: new Error("locked") }, "error"],
  ["page.overgrown", {}, "debug"],
])("%s is logged at the right level", (event, fields, wanted) => {
  const levels: string[] = [];
  const at = (level: string) => (_fields: object, text: string) => void levels.push(`${level} ${text}`);
  eventLog({ debug: at("debug"), info: at("info"), error: at("error") } as unknown as Logger)(event, fields);
  expect(levels).toEqual([`${wanted} ${event}`]);
});

test("an error of a visit is logged without the address", () => {
  const lines: unknown[] = [];
  const err = new Error("no browser");
  eventLog({ error: (fields: object, event: string) => lines.push([event, fields]) } as unknown as Logger)("page.not_visited", { url: "https://shop.example/", err });
  expect(lines).toEqual([["page.not_visited", { err }]]);
});
