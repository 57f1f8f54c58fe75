import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("./rule-cases/", import.meta.url));

export interface RuleCase {
  ruleId: string;
  /** `failed`: a violation; `asked`: a person has to decide. */
  expected: "failed" | "asked" | "passed" | "inapplicable";
  title: string;
  markup: string;
}

/** All examples, in one file per rule; a comment begins each example: `<!-- failed: the name of a file -->`. */
export function readRuleCases(): RuleCase[] {
  return readdirSync(folder).flatMap((file) => {
    const source = readFileSync(folder + file, "utf8");
    const [, ...parts] = source.split(/^<!-- (failed|asked|passed|inapplicable): (.+) -->$/m);
    return Array.from({ length: parts.length / 3 }, (_, index): RuleCase => {
      const [expected, title = "", markup = ""] = parts.slice(index * 3, index * 3 + 3);
      return { ruleId: file.replace(".html", ""), expected: expected as RuleCase["expected"], title, markup };
    });
  });
}
