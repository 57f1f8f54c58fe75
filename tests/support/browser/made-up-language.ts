import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import axeEnglish from "axe-core/locales/_template.json";

/** Code of the made-up language. Polish is real, has four plural forms, and `Intl` knows its formats; only the texts are made up. */
export const MADE_UP = "pl";
const FORMS = new Intl.PluralRules(MADE_UP).resolvedOptions().pluralCategories;

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Settings for a small server with a quick start: it starts only once, and its start takes most of the build. */
const QUICK_BUILD = `
import product from "./vite.config";
export default (environment) => {
  const config = product(environment);
  return { ...config, ssr: { target: "node" }, build: { ...config.build, rollupOptions: { treeshake: false } } };
};`;

/**
 * Built copy of the product with a third language: a folder of texts and one line. Its texts are the English ones in brackets,
 * plural forms with the name of their form: `‹few: {{count}} pages›`.
 */
export function productWithMadeUpLanguage(): { program: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-language-"));
  for (const name of ["app", "db", "locales", "public", "scripts", "package.json", "tsconfig.json", "vite.config.ts", "LICENSE"]) {
    cpSync(name, path.join(folder, name), { recursive: true });
  }
  mkdirSync(path.join(folder, "tests"));
  symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
  writeTexts(path.join(folder, "locales"));
  const file = path.join(folder, "app/platform/i18n/i18n.ts");
  const line = 'LOCALES = ["de", "en"]';
  const source = readFileSync(file, "utf8");
  if (!source.includes(line)) throw new Error(`${file} has no line ${line}`);
  writeFileSync(file, source.replace(line, `LOCALES = ["de", "en", "${MADE_UP}"]`));
  writeFileSync(path.join(folder, "vite.quick.config.ts"), QUICK_BUILD);
  const build = ["node_modules/@remix-run/dev/dist/cli.js", "vite:build", "--minify", "false", "--config", "vite.quick.config.ts"];
  execFileSync(process.execPath, build, { cwd: folder, stdio: "pipe" });
  return { program: path.join(folder, "build/server/serve.js"), remove: () => rmSync(folder, { recursive: true }) };
}

function writeTexts(locales: string): void {
  const [from, to] = [path.join(locales, "en"), path.join(locales, MADE_UP)];
  cpSync(from, to, { recursive: true });
  for (const name of readdirSync(from).filter((each) => each.endsWith(".json"))) {
    const texts = JSON.parse(readFileSync(path.join(from, name), "utf8")) as { [key: string]: Json };
    // A language without a translation by axe-core needs its own.
    if (name === "axe.json") texts["gaps"] = axeEnglish;
    writeFileSync(path.join(to, name), JSON.stringify(madeUp(texts)));
  }
}

function madeUp(value: Json): Json {
  if (typeof value === "string") return bracketed(value);
  if (Array.isArray(value)) return value.map(madeUp);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, each]) => entriesOf(key, each, value)));
}

/** Entries of a text. English has two plural forms: `pages_one` and `pages_other`, or `one` and `other`. */
function entriesOf(key: string, value: Json, siblings: object): [string, Json][] {
  const [, name = "", form] = /^(.*_|)(one|other)$/.exec(key) ?? [];
  if (typeof value !== "string" || form === undefined || !(`${name}one` in siblings && `${name}other` in siblings)) {
    return [[key, madeUp(value)]];
  }
  return form === "one" ? [] : FORMS.map((each) => [`${name}${each}`, bracketed(`${each}: ${value}`)]);
}

/** Text in brackets; addresses stay unchanged. */
const bracketed = (text: string) => (text === "" || /^(\/|https?:|mailto:)\S*$/.test(text) ? text : `‹${text}›`);
