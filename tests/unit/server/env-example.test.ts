import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readEnv, SETTINGS } from "~/platform/env.server";
import { envExample, settingRows } from "../../support/servers/env-example";

const README = readFileSync(fileURLToPath(new URL("../../../README.md", import.meta.url)), "utf8");
/** Settings for developers of the product. */
const NOT_IN_README = ["NODE_ENV"];
/** Settings whose defaults are described in words. */
const IN_WORDS = ["SCAN_ALLOW_PRIVATE", "SOURCE_URL"];

test("the README has every setting once, and no other", () => {
  const names = settingRows(README).flatMap((row) => row.names);
  expect(names.sort()).toEqual(SETTINGS.map(({ name }) => name).filter((name) => !NOT_IN_README.includes(name)).sort());
});

test("the README has the defaults of all settings", () => {
  for (const { names, defaults } of settingRows(README)) {
    for (const { name, fallback } of SETTINGS.filter((setting) => names.includes(setting.name))) {
      if (fallback !== null && !IN_WORDS.includes(name)) expect(defaults, name).toContain(`\`${fallback}\``);
    }
  }
});

test("scripts/deploy/env.example has every setting, and what it has can be read", async () => {
  const example = envExample(README);
  await expect(example).toMatchFileSnapshot("../../../scripts/deploy/env.example");
  const defaults = [...example.matchAll(/^#(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value] as const);
  expect(defaults.length).toBe(SETTINGS.length - NOT_IN_README.length);
  expect(readEnv(Object.fromEntries(defaults))).toEqual(readEnv({}));
});
