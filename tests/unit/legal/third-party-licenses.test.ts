import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { thirdPartyLicenses } from "../../../scripts/deploy/licenses.mjs";

interface Locked {
  version: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
}

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Locked> };
const text = thirdPartyLicenses(".");

/** Sections by their title, such as `express 4.22.1`. */
const sections = new Map(text.split(/^={100}$/m).slice(1).map((section) => [section.trim().split("\n", 1)[0] ?? "", section]));

test("each package that the product needs is named with its licence, source and the whole text", () => {
  const needed = Object.entries(packages)
    .filter(([path, { dev, devOptional, optional }]) => path !== "" && !dev && !devOptional && !optional)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, "")} ${version}`);
  expect(needed.length).toBeGreaterThan(300);
  expect(needed.filter((title) => !/^Licence: \S.*\nSource: \S+\n\n[^]{300,}/m.test(sections.get(title) ?? ""))).toEqual([]);
});

test.each([
  [/^axe-core 4/, "Mozilla Public License, version 2.0"],
  [/^@fontsource-variable\/atkinson-hyperlegible-next /, "SIL OPEN FONT LICENSE"],
  [/^@fontsource\/atkinson-hyperlegible-next /, "SIL OPEN FONT LICENSE"],
  [/^Lucide/, "Lucide Contributors"],
  // Package without its own licence text.
  [/^puppeteer 24/, "Apache License"],
])("%s has its own licence", (title, words) => {
  const [name = "none"] = [...sections.keys()].filter((each) => title.test(each));
  expect(sections.get(name)?.toLowerCase()).toContain(words.toLowerCase());
});
