import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import ts from "typescript";
import { afterAll, describe, expect, test } from "vitest";

interface Diagnostic {
  code: string;
  filename: string;
  message: string;
}

type Case = [promise: string, file: string, code: string];

const folder = mkdtempSync(path.join(tmpdir(), "rampe-imports-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Messages of the linter about the import or word of each case; all in one run. */
async function refusals(cases: Case[]): Promise<string[][]> {
  const root = mkdtempSync(path.join(folder, "run-"));
  for (const [index, [, file, code]] of cases.entries()) {
    const target = path.join(root, String(index), file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, `${code}\n`);
  }
  const args = ["node_modules/oxlint/bin/oxlint", "-c", "scripts/oxlint.config.mjs", "-f", "json", root];
  // Exit status 1: the linter has found something.
  const output = await new Promise<string>((resolve) => execFile(process.execPath, args, { maxBuffer: 2 ** 26 }, (_error, stdout) => resolve(stdout)));
  const { diagnostics, number_of_files: files } = JSON.parse(output) as { diagnostics: Diagnostic[]; number_of_files: number };
  expect(files).toBe(cases.length);
  const found = diagnostics.filter(({ code }) => /^house|restricted|no-console/.test(code));
  return cases.map((_, index) => found.filter(({ filename }) => path.relative(root, path.resolve(filename)).startsWith(`${index}${path.sep}`)).map(({ message }) => message));
}

const parsed = ts.parseJsonConfigFileContent(ts.readConfigFile("tsconfig.json", ts.sys.readFile).config, ts.sys, ".");
const cache = ts.createModuleResolutionCache(path.resolve("."), (file) => file, parsed.options);

const value = (from: string) => `import { x } from "${from}"; x();`;
const type = (from: string) => `import type { X } from "${from}"; export type Y = X;`;

const ALLOWED: Case[] = [
  ["a route calls a domain", "app/routes/site/check.tsx", value("~/runs/run.server")],
  ["a route shows a view", "app/routes/site/check.tsx", value("~/reports/view/overview")],
  ["a route uses types of the server's services", "app/routes/site/metrics.ts", type("~/server/services.server")],
  ["a route uses types of the engine", "app/routes/site/check.tsx", type("~/scan/types")],
  ["the root loads the styles", "app/root.tsx", `import "./styles.css";`],
  ["a domain uses the database", "app/runs/run.server.ts", value("db/schema")],
  ["a domain uses a lower domain", "app/reports/report.server.ts", value("~/runs/run.server")],
  ["a domain uses a public folder of a lower domain", "app/runs/run.server.ts", value("~/billing/plans/plans")],
  ["a domain uses its own folders", "app/billing/billing.server.ts", value("~/billing/stripe/provider.server")],
  ["the demo cashier uses its own folders", "app/billing/demo/api/api.ts", value("~/billing/demo/store/store")],
  ["the demo cashier uses the plans", "app/billing/demo/pages/pages.tsx", value("~/billing/plans/plans")],
  ["the server starts the demo cashier", "app/server/billing/cashier.server.ts", value("~/billing/demo/cashier.server")],
  ["a job drives the crawl", "app/runs/scan-job.server.ts", value("~/scan/crawl/crawl")],
  ["the engine uses itself", "app/scan/visit/title.ts", value("~/scan/page/tab")],
  ["the engine uses packages", "app/scan/visit/scanner.ts", value("puppeteer")],
  ["a view uses shared form fields", "app/runs/view/field.tsx", value("~/ui/form/text-field")],
  ["a view uses a type of a server file", "app/runs/view/result.tsx", type("~/runs/run.server")],
  ["platform uses the texts", "app/platform/i18n/i18n.ts", `import texts from "locales/de/common.json"; export { texts };`],
  ["the server imports a backend", "app/server/services.server.ts", value("~/platform/jobs/database-queue.server")],
  ["the server imports the engine", "app/server/services.server.ts", value("~/scan/visit/scanner")],
  ["the command line imports the engine", "scripts/scan.ts", value("~/scan/visit/scanner")],
  ["the set-up finds a browser", "scripts/setup.mjs", value("../app/scan/browser/find-browser.mjs")],
  ["a file imports one of its folder", "app/billing/plans/plans.ts", value("./price-list")],
  ["a test uses a double", "tests/unit/x.test.ts", value("../../doubles/site")],
  ["a test stores what it needs in a server's database", "tests/integration/x.test.ts", value("../../support/database/server-database")],
  ["a test of SQLite opens a file", "tests/unit/platform/db-lock.test.ts", value("better-sqlite3")],
  ["the environment is read in one place", "app/platform/env.server.ts", "export const port = process.env.PORT;"],
  ["a package is imported on demand", "app/runs/run.server.ts", `export const pg = () => import("pg");`],
];

const REFUSED: Case[] = [
  ["a route must not speak SQL", "app/routes/site/check.tsx", value("db/schema")],
  ["a route must not drive the engine", "app/routes/site/check.tsx", value("~/scan/visit/scanner")],
  ["a route must not reach the network", "app/routes/site/check.tsx", value("~/scan/network/egress")],
  ["a route must not reach the provider", "app/routes/billing/setup.tsx", value("~/billing/stripe/provider.server")],
  ["a domain must not import routes", "app/runs/run.server.ts", value("~/routes/site/check")],
  ["a domain must not import a higher domain", "app/runs/run.server.ts", value("~/reports/report.server")],
  ["nor types of a higher domain", "app/runs/run.server.ts", type("~/reports/report.server")],
  ["a domain must not import internals of another one", "app/billing/billing.server.ts", value("~/accounts/passwords/passwords.server")],
  ["nor types from internals of another one", "app/billing/billing.server.ts", type("~/accounts/passwords/passwords")],
  ["a domain must not import the server", "app/runs/run.server.ts", type("~/server/services.server")],
  ["a domain must not drive the engine", "app/runs/run.server.ts", value("~/scan/visit/scanner")],
  ["the engine must not import the app", "app/scan/visit/scanner.ts", value("~/platform/env.server")],
  ["the engine must not import types of the app", "app/scan/visit/scanner.ts", type("~/runs/run.server")],
  ["the engine must not import the database", "app/scan/visit/scanner.ts", value("db/schema")],
  ["platform must not import a domain", "app/platform/forms/form-answer.ts", type("~/accounts/guess")],
  ["a view must not import server files", "app/runs/view/result.tsx", value("~/runs/run.server")],
  ["nor by a relative import", "app/runs/view/result.tsx", value("./run.server")],
  ["shared components must not import server files", "app/ui/form/field.tsx", value("~/platform/i18n/i18n.server")],
  ["shared components must not import a domain", "app/ui/form/field.tsx", type("~/runs/run.server")],
  ["billing must reach the demo cashier by HTTP alone", "app/billing/checkout.server.ts", value("~/billing/demo/cashier.server")],
  ["nor by a relative import", "app/billing/checkout.server.ts", value("./demo/cashier.server")],
  ["nor from its view", "app/billing/view/plans.tsx", type("~/billing/demo/cashier.server")],
  ["a route must not import the demo cashier", "app/routes/billing/setup.tsx", value("~/billing/demo/cashier.server")],
  ["the server imports nothing of the demo cashier but its entry", "app/server/billing/cashier.server.ts", value("~/billing/demo/store/store")],
  ["the demo cashier must not import Stripe's client", "app/billing/demo/api/api.ts", value("~/billing/stripe/client.server")],
  ["the demo cashier must not import the database", "app/billing/demo/store/store.ts", value("db/schema")],
  ["the database must not import the app", "db/schema.ts", type("~/runs/run.server")],
  ["the root must not import a backend", "app/root.tsx", value("~/billing/stripe/provider.server")],
  ["the root must not import lower folders by a relative path", "app/root.tsx", value("./scan/visit/scanner")],
  ["no relative import of a parent folder", "app/billing/plans/plans.ts", value("../../runs/run.server")],
  ["no parent folder in an alias", "app/billing/plans/plans.ts", value("~/billing/../runs/run.server")],
  ["no relative import of other parent folders from a plain script", "scripts/setup.mjs", value("../app/scan/other.mjs")],
  ["no import without the aliases", "app/billing/plans/plans.ts", value("app/runs/run.server")],
  ["no re-export", "app/billing/plans/plans.ts", `export { x } from "~/runs/run.server";`],
  ["no re-export of everything", "app/billing/plans/plans.ts", `export * from "~/runs/run.server";`],
  ["no dynamic import of own files", "app/billing/plans/plans.ts", `export const x = () => import("~/runs/run.server");`],
  ["no dynamic import by a variable", "app/billing/plans/plans.ts", "export const x = (name: string) => import(name);"],
  ["a test must not open a server's file", "tests/integration/x.test.ts", value("better-sqlite3")],
  ["nor as the server does", "tests/e2e/x.spec.ts", value("db/sqlite.server")],
  ["nor in a benchmark", "tests/bench/x.ts", value("db/sqlite.server")],
  ["a test must not know the file's name", "tests/integration/x.test.ts", "export const file = `${folder}/rampe.db`;"],
  ["a test must not speak SQLite's own SQL", "tests/integration/x.test.ts", `export const query = "PRAGMA freelist_count";`],
  ["nothing writes to the console", "app/routes/site/check.tsx", `console.error("x");`],
  ["nothing else reads the environment", "app/billing/plans/plans.ts", "export const port = process.env.PORT;"],
  ["nor by destructuring", "app/billing/plans/plans.ts", "export const { env } = process;"],
  ["nor by importing it", "app/billing/plans/plans.ts", `export { env } from "node:process";`],
];

describe("the linter holds the table of the domains", async () => {
  const said = await refusals([...ALLOWED, ...REFUSED]);

  test.each(ALLOWED.map(([promise], index) => [promise, said[index]]))("%s", (_promise, messages) => {
    expect(messages).toEqual([]);
  });

  test.each(REFUSED.map(([promise], index) => [promise, said[ALLOWED.length + index]]))("%s", (_promise, messages) => {
    expect(messages).not.toEqual([]);
  });
});

test("every folder of app is a domain of the table, routes or server", async () => {
  const folders = readdirSync("app", { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const said = await refusals(folders.map((name) => [name, `app/${name}/x.ts`, value("scripts/no-such-file")]));
  expect(folders.filter((_, index) => said[index]?.length === 0)).toEqual([]);
});

/** Folders that grow by one file at a time and are read in order; and programs whose commands are documented. */
const LISTS = ["db/migrations", "tests/bench"];

test("no folder has more than 26 files, or a name that could mean anything", () => {
  const folders = ["app", "db", "scripts", "tests"].flatMap(sources).map((file) => path.dirname(file));
  const sizes = new Map<string, number>();
  for (const folder of folders) sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  expect([...sizes].filter(([folder, files]) => files > 26 && !LISTS.includes(folder))).toEqual([]);
  expect([...sizes.keys()].filter((folder) => /(^|\/)(lib|utils?|helpers?|common|shared|misc)(\/|$)/.test(folder))).toEqual([]);
});

test("app/styles.css imports every style sheet once, in the layer of its folder, and lower domains first", async () => {
  const layerOf = (name: string) => /^ui\/styles\/(tokens|base|utilities)\.css$/.exec(name)?.[1] ?? (name.startsWith("ui/elements/") ? "elements" : "components");
  const nameOf = (file: string) => file.split(path.sep).slice(1).join("/");
  const imported = sheetsOf(path.join("app", "styles.css")).map(({ file, layer }) => ({ name: nameOf(file), layer }));
  const sheets = sources("app").filter((file) => file.endsWith(".css"));
  expect(imported.map(({ name }) => name).concat("styles.css").sort()).toEqual(sheets.map(nameOf).sort());
  expect(imported.filter(({ name, layer }) => name !== "ui/styles/font.css" && layer !== layerOf(name))).toEqual([]);
  const importers = sources("app").filter((file) => /import\b.*\.css"/.test(readFileSync(file, "utf8")));
  expect(importers.map(nameOf).sort()).toEqual(["root.tsx", "styles.css"]);

  const domains = imported.filter(({ layer }) => layer === "components").map(({ name }) => name.replace(/\/.*/, ""));
  const inTurn = domains.filter((domain, index) => domain !== domains[index - 1]);
  expect(inTurn.length).toBeGreaterThan(5);
  expect(new Set(inTurn).size).toBe(inTurn.length);
  const pairs = inTurn.flatMap((lower, index) => inTurn.slice(index + 1).map((higher): Case => [`${lower} before ${higher}`, `app/${lower}/x.ts`, value(`~/${higher}/x`)]));
  const said = await refusals(pairs);
  expect(pairs.filter((_, index) => said[index]?.length === 0)).toEqual([]);
});

test("there are no import cycles, not even for types", () => {
  const files = ["app", "db", "scripts", "tests"].flatMap(sources);
  const graph = new Map(files.map((file) => [file, importsOf(file)]));
  expect(circlesIn(new Map([["a", ["b"]], ["b", ["c"]], ["c", ["b"]]]))).toEqual([["b", "c"]]);
  expect([...graph.values()].flat().length).toBeGreaterThan(2_000);
  expect(circlesIn(graph)).toEqual([]);
});

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => path.join(folder, file))
    .filter((file) => /\.(tsx?|mts|mjs|css|json)$/.test(file));
}

/** Files of this repository that a file imports. */
function importsOf(file: string): string[] {
  if (file.endsWith(".css")) return sheetsOf(file).map((sheet) => sheet.file);
  if (file.endsWith(".json")) return [];
  const options = { ...ts.getDefaultCompilerOptions(), ...parsed.options };
  return ts
    .preProcessFile(readFileSync(file, "utf8"), true, true)
    .importedFiles.map(({ fileName }) => ts.resolveModuleName(fileName, path.resolve(file), options, ts.sys, cache).resolvedModule)
    .filter((found) => found !== undefined && !found.isExternalLibraryImport)
    .map((found) => path.relative(".", found?.resolvedFileName ?? ""));
}

/** Style sheets that a style sheet imports, and their cascade layers. */
function sheetsOf(file: string): { file: string; layer: string | undefined }[] {
  return [...readFileSync(file, "utf8").matchAll(/@import "([^"]+)"(?: layer\((\w+)\))?/g)].map(([, address = "", layer]) => ({
    file: path.join(path.dirname(file), address),
    layer,
  }));
}

/** Groups of files that reach each other (Tarjan's strongly connected components). */
function circlesIn(graph: Map<string, string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const low = (file: string) => lowest.get(file) ?? Infinity;
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;

  function visit(file: string): void {
    order.set(file, order.size);
    lowest.set(file, order.size - 1);
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(file, Math.min(low(file), low(next)));
    }
    if (low(file) !== order.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) circles.push(circle.sort());
  }
}
