import { ESLint } from "eslint";
import tseslint from "typescript-eslint";
import { expect, test } from "vitest";

// The rules that need types cannot read files that do not exist; the rules for imports need none.
const untyped = { files: ["**/*.{ts,tsx}"], ...tseslint.configs.disableTypeChecked };
const eslint = new ESLint({ overrideConfigFile: "scripts/eslint.config.js", overrideConfig: [untyped] });

async function refusals(filePath: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(`${code}\n`, { filePath });
  const about = /restricted|no-console|^$/;
  return (result?.messages ?? [])
    .filter(({ ruleId, fatal }) => fatal || about.test(ruleId ?? ""))
    .map(({ line, message }) => `${line}: ${message}`);
}

const value = (from: string) => `import { x } from "${from}"; x();`;
const type = (from: string) => `import type { X } from "${from}"; export type Y = X;`;

test.each([
  ["a route reads a model", "app/routes/site/check.tsx", value("~/models/run.server")],
  ["a route shows a component", "app/routes/site/check.tsx", value("~/components/logo")],
  ["a route uses what is small", "app/routes/site/check.tsx", value("~/lib/url")],
  ["a route is handed the services", "app/routes/site/check.tsx", value("~/services.server")],
  ["a route knows the engine's words", "app/routes/site/check.tsx", type("~/scan/types")],
  ["the root loads the styles", "app/root.tsx", `import "./styles/index.css";`],
  ["a model asks the database", "app/runs/run.server.ts", value("db/schema")],
  ["a model knows the queue's interface", "app/runs/run.server.ts", type("~/queue/queue")],
  ["a queue handler calls the noun", "app/queue/handler.server.ts", value("~/models/run.server")],
  ["the engine uses itself", "app/scan/checks/title.ts", value("~/scan/page")],
  ["the engine uses packages", "app/scan/visit/scanner.ts", value("puppeteer")],
  ["a component uses another", "app/components/form/field.tsx", value("~/components/icon")],
  ["a component knows a model's type", "app/components/result.tsx", type("~/models/run.server")],
  ["lib uses the texts", "app/platform/i18n/i18n.ts", `import texts from "locales/de/common.json"; export { texts };`],
  ["the services name a backend", "app/server/services.server.ts", value("~/queue/sqlite-queue.server")],
  ["the services name the engine", "app/server/services.server.ts", value("~/scan/scanner")],
  ["the command line names the engine", "scripts/scan.ts", value("~/scan/scanner")],
  ["the set-up finds a browser", "scripts/setup.mjs", value("../app/scan/browser/find-browser.mjs")],
  ["a file names its neighbour", "app/lib/url.ts", value("./host")],
  ["a test uses a double", "tests/unit/x.test.ts", value("../doubles/site")],
  ["the environment is read in one place", "app/platform/env.server.ts", "export const port = process.env.PORT;"],
  ["a package is imported on demand", "app/lib/url.ts", `export const pg = () => import("pg");`],
])("%s", async (_promise, file, code) => {
  expect(await refusals(file, code)).toEqual([]);
});

test.each([
  ["a route must not speak SQL", "app/routes/site/check.tsx", value("db/schema")],
  ["a route must not drive the engine", "app/routes/site/check.tsx", value("~/scan/scanner")],
  ["a route must not name a backend", "app/routes/site/check.tsx", value("~/queue/sqlite-queue.server")],
  ["a route must not reach the cashier", "app/routes/billing/setup.tsx", value("~/billing/stripe.server")],
  ["a model must not know pages", "app/runs/run.server.ts", value("~/routes/check")],
  ["a model must not know components", "app/runs/run.server.ts", type("~/components/result")],
  ["a model must not name a backend", "app/runs/run.server.ts", value("~/queue/sqlite-queue.server")],
  ["a model must not name a backend's type", "app/runs/run.server.ts", type("~/queue/sqlite-queue.server")],
  ["a model must not drive the engine", "app/runs/run.server.ts", value("~/scan/scanner")],
  ["the engine must not know the app", "app/scan/visit/scanner.ts", value("~/lib/url")],
  ["the engine must not know the app's types", "app/scan/visit/scanner.ts", type("~/env.server")],
  ["the engine must not know the database", "app/scan/visit/scanner.ts", value("db/schema")],
  ["a component must not load a model", "app/components/result.tsx", value("~/models/run.server")],
  ["a component must not load the server", "app/components/result.tsx", value("~/lib/i18n.server")],
  ["a component must not know the services", "app/components/result.tsx", type("~/services.server")],
  ["lib must not know models", "app/lib/url.ts", value("~/models/run.server")],
  ["lib must not know the engine", "app/lib/url.ts", value("~/scan/scanner")],
  ["lib must not know the services", "app/lib/url.ts", type("~/services.server")],
  ["the database must not know the app", "db/schema.ts", type("~/models/run.server")],
  ["the root must not name a backend", "app/root.tsx", value("~/queue/sqlite-queue.server")],
  ["the root must not reach below by a dot", "app/root.tsx", value("./scan/scanner")],
  ["a script must not bypass the services", "scripts/worker.ts", value("~/models/run.server")],
  ["no way up from a folder", "app/lib/url.ts", value("../models/run.server")],
  ["no way up through an alias", "app/lib/url.ts", value("~/lib/../models/run.server")],
  ["no way up for a type", "app/components/result.tsx", type("~/lib/../services.server")],
  ["no way up from a plain script", "scripts/setup.mjs", value("../app/scan/other.mjs")],
  ["no way past the aliases", "app/lib/url.ts", value("app/models/run.server")],
  ["no passing on", "app/lib/url.ts", `export { x } from "~/runs/run.server";`],
  ["no passing on of everything", "app/lib/url.ts", `export * from "~/runs/run.server";`],
  ["no import on demand", "app/lib/url.ts", `export const x = () => import("~/runs/run.server");`],
  ["no import by a made-up name", "app/lib/url.ts", "export const x = (name: string) => import(name);"],
  ["nothing writes to the console", "app/routes/site/check.tsx", `console.error("x");`],
  ["nothing else reads the environment", "app/lib/url.ts", "export const port = process.env.PORT;"],
  ["nor by another spelling", "app/lib/url.ts", "export const { env } = process;"],
  ["nor by an import", "app/lib/url.ts", `export { env } from "node:process";`],
])("%s", async (_promise, file, code) => {
  expect(await refusals(file, code)).not.toEqual([]);
});
