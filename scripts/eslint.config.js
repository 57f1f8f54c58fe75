import { fileURLToPath } from "node:url";
import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = "{ts,tsx}";

/**
 * The domains of app/, lowest first. A domain may import the domains in its `below`: files at the top of their folder, and
 * their `rooms` (public folders); other folders are internal. `also` names single files by regular expressions. The rest of
 * the domain does not import its `apart` folders. Packages are not restricted.
 */
const DOMAINS = {
  platform: { below: [], rooms: ["async", "crypto", "forms", "http", "i18n", "jobs", "limits", "web"] },
  scan: { below: [], also: ["~/platform/async/[^/]+"] },
  legal: { below: ["platform"] },
  mail: { below: ["platform"] },
  findings: { below: ["platform", "scan"], also: ["~/scan/rules/(list-rules|rampe/index|rampe/understanding-url)"], rooms: ["fixes", "rules", "view"] },
  ui: { below: ["platform", "scan", "legal", "findings"], rooms: ["dialog", "form", "frame"] },
  accounts: { below: ["platform", "mail", "ui"], rooms: ["view"] },
  billing: {
    below: ["platform", "scan", "legal", "mail", "ui", "accounts"],
    rooms: ["plans", "view", "websites"],
    // A program of its own, which the application reaches by HTTP.
    apart: ["demo"],
  },
  runs: {
    below: ["platform", "scan", "findings", "ui", "billing"],
    rooms: ["view"],
    also: ["~/scan/crawl/(crawl|facts|frontier|store)", "~/scan/site/(judge-site|site-facts)"],
  },
  reports: {
    below: ["platform", "scan", "findings", "ui", "accounts", "billing", "runs"],
    rooms: ["check", "exports", "keyboard", "review", "share", "statement", "view", "view/rule"],
    also: ["~/scan/crawl/facts", "~/scan/browser/browser-launch"],
  },
  monitoring: {
    below: ["platform", "scan", "mail", "findings", "ui", "accounts", "billing", "runs", "reports"],
    rooms: ["view"],
  },
  api: { below: ["platform", "scan", "findings", "ui", "accounts", "runs", "reports"], rooms: ["view"] },
  site: {
    below: ["platform", "scan", "legal", "mail", "findings", "ui", "accounts", "billing", "runs", "reports", "monitoring", "api"],
    rooms: ["contact", "home", "info-pages", "law", "rules", "search-engines", "self-scan"],
  },
};
const ALL = Object.keys(DOMAINS);

/** Allowed imports by `~/…`, `db/…` and `locales/…` for each folder, as regular expressions. */
const MAY_IMPORT = {
  ...Object.fromEntries(
    ALL.map((domain) => {
      const { below, also = [], apart = [] } = DOMAINS[domain];
      const own = apart.length > 0 ? `~/${domain}/(?!(${apart.join("|")})/).+` : `~/${domain}/.+`;
      const outside = ["scan", "legal", "ui"].includes(domain) ? [] : ["db/.+", "locales/.+"];
      return [`app/${domain}/**/*`, [own, ...below.map(surfaceOf), ...also, ...outside]];
    }),
  ),
  "app/*": [...ALL.filter((domain) => domain !== "scan").map(surfaceOf), "locales/.+"],
  // HTTP alone: no SQL, no engine.
  "app/routes/**/*": ["~/routes/.+", ...ALL.map(surfaceOf), "~/server/services.server"],
  "app/billing/demo/**/*": ["~/billing/demo/.+", "~/platform/.+", "~/billing/[^/]+", "~/billing/plans/.+", "locales/.+"],
  // Composition: the only place that names concrete parts.
  "app/server/**/*": [`~/(?!billing/demo/)(server|${ALL.join("|")})/.+`, "~/billing/demo/cashier.server", "db/.+"],
  "db/**/*": ["db/.+", "~/scan/types"],
  "scripts/*": ["~/server/.+", ...ALL.map(surfaceOf), "~/scan/.+", "~/billing/stripe/.+", "db/.+", "locales/.+"],
};

/** The tests' only way to the database of a server, which knows what kind of database it is. */
const DATABASE_OF_TESTS = "tests/support/server-database.ts";
/** Tests of SQLite itself, of the configuration's defaults and of these rules, and what they need. */
const SQLITE_IN_TESTS = [
  "tests/support/{database,migrate-process,cashier-store}.ts",
  "tests/unit/{db,db-lock,old-database,env,imports}.test.ts",
];

/** Code that also runs in browsers, besides each domain's `view`: it imports only types from server files. */
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
      // Remix routes answer by throwing responses.
      "@typescript-eslint/only-throw-error": "off",
      // Factories close over their state: nothing uses `this`, and their methods may be passed around.
      "@typescript-eslint/unbound-method": "off",
      // Enums of packages are compared with their string values; the compiler checks the strings.
      "@typescript-eslint/no-unsafe-enum-comparison": "off",
      // A function without `await` may be async so that it matches its interface.
      "@typescript-eslint/require-await": "off",
    },
  },
  {
    files: ["**/*.{js,mjs}"],
    languageOptions: { globals: nodeGlobals() },
  },
  {
    // Server answers in tests have no types; the tests only inspect them.
    files: [`tests/**/*.${source}`],
    rules: {
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  {
    files: [`tests/**/*.${source}`],
    ignores: SQLITE_IN_TESTS,
    rules: {
      "@typescript-eslint/no-restricted-imports": ["error", { patterns: [opensSqlite()] }],
    },
  },
  {
    files: [`tests/**/*.${source}`],
    ignores: [DATABASE_OF_TESTS, ...SQLITE_IN_TESTS],
    rules: { "no-restricted-syntax": ["error", ...speaksSqlite()] },
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
  // The route table is read when the server is built; development has one more page.
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
  // It imports the texts of every language.
  { files: ["app/platform/i18n/text-files.server.ts"], rules: { "no-restricted-syntax": "off" } },
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
    // This pattern allows type imports for every match, so it must not match fully forbidden files.
    const ofServer = `^(?!.*\\.\\.)(\\./.+|${allowed.join("|")})(?<=\\.server)$`;
    patterns.push({ regex: ofServer, message: `${message} (A type may.)`, allowTypeImports: true });
  }
  // Otherwise files at the top of app/ could import every folder by './'.
  if (folder === "app/*") patterns.push({ regex: "^\\./(?!(legal|platform|reports|site)/).*/", message });
  for (const apart of DOMAINS[folder.split("/")[1]]?.apart ?? []) {
    if (!folder.includes(`/${apart}/`)) patterns.push({ regex: `^\\./${apart}/`, message });
  }
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

function opensSqlite() {
  return { regex: "^(better-sqlite3|db/sqlite.*\\.server)$", message: `Tests hold for any database: ${DATABASE_OF_TESTS} opens it.` };
}

function speaksSqlite() {
  const words = "/\\brampe\\.db\\b|\\bsqlite_|\\bpragma\\b|\\bvacuum\\b|\\bdbstat\\b|\\bbegin immediate\\b/i";
  const message = `Tests hold for any database: ${DATABASE_OF_TESTS} knows what is SQLite's own.`;
  return [`Literal[value=${words}]`, `TemplateElement[value.raw=${words}]`].map((selector) => ({ selector, message }));
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
