import { fileURLToPath } from "node:url";
import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = "{ts,tsx}";

/**
 * The domains of app/, lowest first. A domain imports those `below` it: files at the top of their folder, and their `rooms`, which
 * are open to all; other rooms are internals. `also` names single files by regular expressions. Packages are free.
 */
const DOMAINS = {
  platform: { below: [], rooms: ["async", "crypto", "forms", "http", "i18n", "jobs", "limits", "web"] },
  scan: { below: [] },
  legal: { below: ["platform"] },
  mail: { below: ["platform"] },
  findings: { below: ["platform", "scan"], rooms: ["fixes", "view"] },
  ui: { below: ["platform", "scan", "legal", "findings"], rooms: ["dialog", "form", "frame", "styles"] },
  accounts: { below: ["platform", "mail", "ui"], rooms: ["view"] },
  billing: { below: ["platform", "scan", "legal", "mail", "ui", "accounts"], rooms: ["plans", "view", "websites"] },
  runs: {
    below: ["platform", "scan", "findings", "ui", "billing"],
    rooms: ["view"],
    also: ["~/scan/crawl/(crawl|store)"],
  },
  reports: {
    below: ["platform", "scan", "findings", "ui", "accounts", "billing", "runs"],
    rooms: ["check", "exports", "review", "share", "statement", "view"],
    also: ["~/scan/crawl/store", "~/scan/browser/(browser-launch|deadline)"],
  },
  monitoring: {
    below: ["platform", "scan", "mail", "findings", "ui", "accounts", "billing", "runs", "reports"],
    rooms: ["view"],
  },
  api: { below: ["platform", "scan", "findings", "ui", "accounts", "runs", "reports"], rooms: ["view"] },
  site: {
    below: ["platform", "scan", "legal", "mail", "findings", "ui", "accounts", "billing", "runs", "reports", "monitoring", "api"],
    rooms: ["contact", "home", "info-pages", "law", "search-engines", "self-scan"],
  },
};
const ALL = Object.keys(DOMAINS);

/** Who may import what by `~/…`, `db/…` and `locales/…`, as regular expressions. */
const MAY_IMPORT = {
  ...Object.fromEntries(
    ALL.map((domain) => {
      const { below, also = [] } = DOMAINS[domain];
      const outside = ["scan", "legal", "ui"].includes(domain) ? [] : ["db/.+", "locales/.+"];
      return [`app/${domain}/**/*`, [`~/${domain}/.+`, ...below.map(surfaceOf), ...also, ...outside]];
    }),
  ),
  "app/*": [...ALL.filter((domain) => domain !== "scan").map(surfaceOf), "locales/.+"],
  // HTTP alone: no SQL, no engine.
  "app/routes/**/*": ["~/routes/.+", ...ALL.map(surfaceOf), "~/server/services.server"],
  // Composition: the one place that names concrete parts.
  "app/server/**/*": [`~/(server|${ALL.join("|")})/.+`, "db/.+"],
  "db/**/*": ["db/.+", "~/scan/types"],
  "scripts/*": ["~/server/.+", ...ALL.map(surfaceOf), "~/scan/.+", "~/billing/stripe/.+", "db/.+", "locales/.+"],
  // A program of its own, that the application does not know.
  "scripts/cashier/**/*": ["~/platform/.+", "~/billing/[^/]+", "~/billing/plans/.+", "locales/.+"],
};

/** What runs in browsers, too, besides each domain's `view`: it names the server's files by type alone. */
const IN_BROWSERS = { ui: "app/ui/**/*", legal: "app/legal/*" };

function surfaceOf(domain) {
  const { rooms = [] } = DOMAINS[domain];
  return `~/${domain}/${rooms.length > 0 ? `((${rooms.join("|")})/)?` : ""}[^/]+`;
}

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
  ...ALL.map((domain) => ({
    files: [`${IN_BROWSERS[domain] ?? `app/${domain}/view/**/*`}.${source}`],
    ignores: [`**/*.server.${source}`],
    rules: importRules(`app/${domain}/**/*`, MAY_IMPORT[`app/${domain}/**/*`], { isInBrowsers: true }),
  })),
  {
    files: ["{app,scripts}/**/*.{js,mjs}"],
    rules: { "no-restricted-imports": ["error", { patterns: [upwards("(?!\\.\\./app/scan/browser/find-browser\\.mjs$)")] }] },
  },
);

function importRules(folder, allowed, { isInBrowsers = false } = {}) {
  const house = "(~|db|locales|app|scripts|tests)";
  const message = `Files of ${folder} may not import this; scripts/eslint.config.js says who may import whom.`;
  const patterns = [{ regex: `^(?!(${allowed.join("|")})$)${house}(/|$)`, message }, upwards()];
  if (isInBrowsers) {
    // It allows a type wherever it matches: what is forbidden altogether must not match.
    const ofServer = `^(?!.*\\.\\.)(\\./.+|${allowed.join("|")})(?<=\\.server)$`;
    patterns.push({ regex: ofServer, message: `${message} (A type may.)`, allowTypeImports: true });
  }
  // Files at the top of app/ would otherwise reach every folder by './'.
  if (folder === "app/*") patterns.push({ regex: "^\\./(?!(legal|platform|site)/).*/", message });
  if (folder.startsWith("app/")) patterns.push({ regex: "^(node:)?process$", message: "Only app/platform/env.server.ts reads it." });
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
