import { fileURLToPath } from "node:url";
import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = "{ts,tsx}";

/**
 * Who may import whom: what the files of a folder may name by `~/…`, `db/…` and `locales/…`, as regular expressions.
 * `types` may be named by `import type` alone. Packages are free; relative imports stay inside their folder.
 */
const MAY_IMPORT = {
  "app/*": {
    any: ["~/[^/]+", "~/(components|lib|models|styles)/.+", "~/scan/types", "locales/.+"],
    types: ["~/.+", "db/.+"],
  },
  // What the server is made of, before a route is asked.
  "app/http/**/*": {
    any: ["~/[^/]+", "~/(http|lib)/.+", "~/services/database.server"],
    types: ["~/.+"],
  },
  // What the routes of a report have in common, whoever reads it.
  "app/reports/**/*": {
    any: ["~/[^/]+", "~/(lib|models|reports)/.+", "~/scan/types", "~/scan/report/.+"],
    types: ["~/.+"],
  },
  "app/routes/**/*": {
    any: ["~/[^/]+", "~/(components|lib|models|reports|routes|styles)/.+", "~/scan/types"],
  },
  "app/models/**/*": {
    any: ["~/(lib|models)/.+", "~/scan/types", "db/.+"],
    types: ["~/(queue|billing|identity|mail)/(?!.*\\.server$).+", "~/scan/(crawl/store|report/.+)"],
  },
  "app/pdf/**/*": {
    any: ["~/(components|lib|models|pdf)/.+", "~/scan/(types|browser-launch|deadline)", "locales/.+"],
  },
  "app/queue/**/*": {
    any: ["~/(lib|models|queue)/.+", "~/scan/types", "~/scan/crawl/crawl", "db/.+"],
  },
  "app/{billing,identity,mail}/**/*": {
    any: ["~/lib/.+", "locales/.+"],
  },
  "app/scan/**/*": {
    any: ["~/scan/.+"],
  },
  "app/components/**/*": {
    any: ["~/(components|lib|styles)/(?!.*\\.server$).+", "~/scan/types"],
    types: ["~/(lib|models)/.+"],
  },
  "app/lib/**/*": {
    any: ["~/lib/.+", "~/scan/(types|redirect|failure-kind)", "locales/.+"],
  },
  "db/**/*": {
    any: ["db/.+"],
    types: ["~/scan/types"],
  },
  "scripts/*": {
    any: ["~/[^/]+", "~/(billing|http|lib|scan|services)/.+", "db/.+"],
  },
  // A program of its own, that the application does not know.
  "scripts/cashier/**/*": {
    any: ["~/lib/.+", "locales/.+"],
  },
  // The one place that names concrete backends, and its parts.
  "app/{services.server,services/**/*}": {
    any: ["~/(?!(components|http|reports|routes|styles)/).+", "db/.+"],
  },
};

export default defineConfig(
  globalIgnores(["build/", "var/", "coverage/", "test-results/", "playwright-report/", "**/*.html"]),
  js.configs.recommended,
  {
    files: [`**/*.${source}`],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", ignoreRestSiblings: true }],
      // An event handler of a component or of Express may be asynchronous.
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: false }],
      // Remix answers by throwing responses.
      "@typescript-eslint/only-throw-error": "off",
      // Factories close over their state: nothing uses `this`, and their methods may be passed around.
      "@typescript-eslint/unbound-method": "off",
      // Packages' enums are compared with the words they stand for; the compiler checks the words.
      "@typescript-eslint/no-unsafe-enum-comparison": "off",
      // A function that returns a promise keeps the interface also where it awaits nothing yet.
      "@typescript-eslint/require-await": "off",
    },
  },
  {
    files: ["**/*.{js,mjs}"],
    languageOptions: { globals: nodeGlobals() },
  },
  {
    // Answers of the servers that tests talk to are looked at, not typed.
    files: [`tests/**/*.${source}`],
    rules: {
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  { files: [`app/**/*.${source}`], extends: [reactHooks.configs.flat.recommended] },
  {
    files: ["app/**/*"],
    rules: {
      "no-console": "error",
      "no-restricted-properties": [
        "error",
        { object: "process", property: "env", message: "app/platform/env.server.ts reads the environment." },
      ],
    },
  },
  // The route table is read when the server is built, and has a page more in development.
  { files: ["app/platform/env.server.ts", "app/routes.ts", "app/scan/browser/find-browser.mjs"], rules: { "no-restricted-properties": "off" } },
  ...Object.entries(MAY_IMPORT).map(([folder, allowed]) => ({
    files: [`${folder}.${source}`],
    rules: importRules(folder, allowed),
  })),
  {
    files: ["{app,scripts}/**/*.{js,mjs}"],
    rules: { "no-restricted-imports": ["error", { patterns: [upwards("(?!\\.\\./app/scan/find-browser\\.mjs$)")] }] },
  },
);

function importRules(folder, { any, types = [] }) {
  const house = "(~|db|locales|app|scripts|tests)";
  const anyOf = (allowed) => `(${allowed.join("|")})$`;
  const message = `Files of ${folder} may not import this; scripts/eslint.config.js says who may import whom.`;
  const patterns = [{ regex: `^(?!${anyOf([...any, ...types])})${house}(/|$)`, message }, upwards()];
  if (types.length > 0) {
    const typesOnly = `^(?!${anyOf(any)})(?!.*\\.\\.)${anyOf(types)}`;
    patterns.push({ regex: typesOnly, message: `${message} (A type may.)`, allowTypeImports: true });
  }
  if (folder.startsWith("app/")) patterns.push({ regex: "^(node:)?process$", message: "Only app/platform/env.server.ts reads it." });
  // Files at the top of app/ would otherwise reach every folder by './'.
  if (folder === "app/*") patterns.push({ regex: "^\\./(?!(lib|styles)/).*/", message });
  const onDemand = {
    selector: `ImportExpression:not([source.value=/^(?!${house}\\u002f|\\.)/])`,
    message: "Only packages are imported on demand, by name; no rule could tell who imports the rest.",
  };
  return {
    "@typescript-eslint/no-restricted-imports": ["error", { patterns }],
    "no-restricted-syntax": ["error", onDemand],
  };
}

function upwards(except = "") {
  return {
    regex: `^${except}(.*/)?\\.\\.(/|$)`,
    message: "Relative imports stay inside their folder; use ~/…, db/… or locales/….",
  };
}

function nodeGlobals() {
  const names = ["process", "console", "setTimeout", "clearTimeout", "setInterval", "clearInterval", "fetch", "URL", "Buffer"];
  return Object.fromEntries(names.map((name) => [name, "readonly"]));
}
