import { expect, test } from "vitest";
import { csvLine, separatorOf } from "~/reports/exports/csv-line";

test.each([
  ["de", ";"],
  ["en", ","],
  ["pl", ";"],
  ["ja", ","],
])("a table in the language %s has cells apart by %s, and starts no formula", (locale, separator) => {
  expect(separatorOf(locale)).toBe(separator);
  expect(csvLine(separatorOf(locale))(["1,5", "=1+1", "a\n=1+1"])).toBe(`"1,5"${separator}'=1+1${separator}"a\n'=1+1"\r\n`);
});
