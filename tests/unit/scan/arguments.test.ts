import { describe, expect, test } from "vitest";
import { readArguments, WrongCall } from "../../../scripts/scan-arguments";

const URL = "https://example.org";

test.each([
  ["no address", [], "no URL"],
  ["an unknown level", ["--level", "AAAA", URL], "--level wants"],
  ["unknown checks", ["--checks", "all", URL], "--checks wants axe, free or pro"],
  ["two formats", ["--json", "--csv", URL], "Choose one of --json and --csv"],
  ["no page at once", ["--concurrency", "0", URL], "--concurrency wants"],
  ["an unknown option", ["--unknown", URL], "--unknown"],
  ["a page limit for one page", ["--max-pages", "5", URL], "--site"],
  ["a wait without a number", ["--wait", "soon", URL], "--wait wants"],
  ["a wait for no selector", ["--wait-for", "p >", URL], "--wait-for wants"],
  ["no rules", ["--rules", ",", URL], "--rules wants"],
  ["rules and exceptions", ["--rules", "image-alt", "--no-rule", "label", URL], "--no-rule"],
])("%s is refused, with the reason", (_what, args, reason) => {
  expect(() => readArguments(args)).toThrow(WrongCall);
  expect(() => readArguments(args)).toThrow(reason);
});

describe("the command line", () => {
  test("checks against level AA with all checks, and prints text, if nothing else is said", () => {
    expect(readArguments([URL])).toMatchObject({ urls: [URL], site: false, level: "AA", checks: "pro", rules: { only: undefined }, format: "text", concurrency: undefined });
  });

  test("takes rules with blanks, and several exceptions", () => {
    expect(readArguments([URL, "--rules", "image-alt, label"])).toMatchObject({ rules: { only: ["image-alt", "label"] } });
    expect(readArguments([URL, "--no-rule", "image-alt", "--no-rule", "label"])).toMatchObject({ rules: { without: ["image-alt", "label"] } });
  });

  test("asks for help, or for the list of rules, without an address", () => {
    expect(readArguments(["--help"])).toBe("help");
    expect(readArguments(["--list-rules"])).toBe("rules");
  });
});
