import { expect, test } from "vitest";
import { minuteOf, textTable } from "~/server/commands/text-table";

test("a table for a terminal has columns, and nothing that controls the terminal", () => {
  expect(textTable([["TO", "ERROR"], ["anna@example.org", "550 no\u001B[2J\r\nsuch mailbox"]])).toBe("TO                 ERROR\nanna@example.org   550 no [2J such mailbox\n");
  expect(minuteOf(Date.UTC(2026, 10, 27, 17, 5, 59))).toBe("2026-11-27 17:05 UTC");
});
