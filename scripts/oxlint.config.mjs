/** Extensions of source files. */
const source = "{ts,tsx}";

/**
 * The domains of app/, lowest first. A domain may import the domains in its `below`: files at the top of their folder, and
 * their `rooms` (public folders); other folders are internal. `also` names single files by regular expressions. The rest of
 * the domain does not import its `apart` folders. Packages are not restricted.
 */
const DOMAINS = {
  platform: { below: [], rooms: ["async", "crypto", "forms", "http", "i18n", "installation", "jobs", "limits", "objects", "web"] },
  scan: { below: [], also: ["~/platform/async/[^/]+", "~/platform/event-log"] },
  legal: { below: ["platform"] },
  mail: { below: ["platform"] },
  findings: { below: ["platform", "scan"], also: ["~/scan/rules/(list-rules|rampe/index|rampe/understanding-url)"], rooms: ["acceptance", "fixes", "rules", "view"] },
  ui: { below: ["platform", "scan", "legal", "findings"], rooms: ["dialog", "form", "frame"] },
  accounts: { below: ["platform", "mail", "ui"], rooms: ["second-factor", "view"] },
  billing: {
    below: ["platform", "scan", "legal", "mail", "ui", "accounts"],
    rooms: ["plans", "view", "websites"],
    // Separate program, which the application uses by HTTP.
    apart: ["demo"],
  },
  runs: {
    below: ["platform", "scan", "findings", "ui", "billing"],
    rooms: ["view"],
    also: ["~/scan/crawl/(crawl|facts|frontier|store)", "~/scan/site/(judge-site|site-facts)"],
  },
  reports: {
    below: ["platform", "scan", "findings", "ui", "accounts", "billing", "runs"],
    rooms: ["acceptance", "check", "check/problem", "exports", "keyboard", "page-picture", "review", "share", "statement", "view", "view/head", "view/pages", "view/rule"],
    also: ["~/scan/crawl/facts", "~/scan/browser/browser-launch"],
  },
  monitoring: {
    below: ["platform", "scan", "mail", "findings", "ui", "accounts", "billing", "runs", "reports"],
    rooms: ["view", "view/websites", "websites"],
    also: ["~/scan/rules/rampe/site/index"],
  },
  api: { below: ["platform", "scan", "findings", "ui", "accounts", "runs", "reports", "monitoring"], rooms: ["view"] },
  site: {
    below: ["platform", "scan", "legal", "mail", "findings", "ui", "accounts", "billing", "runs", "reports", "monitoring", "api"],
    rooms: ["contact", "home", "info-pages", "law", "rules", "search-engines", "self-scan"],
  },
  administration: {
    below: ["platform", "scan", "legal", "mail", "findings", "ui", "accounts", "billing", "runs", "reports", "monitoring", "api", "site"],
    rooms: ["backup", "view"],
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
  // HTTP only: no SQL, no engine.
  "app/routes/**/*": ["~/routes/.+", ...ALL.map(surfaceOf), "~/server/services.server"],
  "app/billing/demo/**/*": ["~/billing/demo/.+", "~/platform/.+", "~/billing/[^/]+", "~/billing/plans/.+", "locales/.+"],
  // Composition: the only place that names concrete parts.
  "app/server/**/*": [`~/(?!billing/demo/)(server|${ALL.join("|")})/.+`, "~/billing/demo/cashier.server", "db/.+"],
  "db/**/*": ["db/.+", "~/scan/types", "~/platform/i18n/i18n"],
  "scripts/*": ["~/server/.+", ...ALL.map(surfaceOf), "~/scan/.+", "~/billing/stripe/.+", "db/.+", "locales/.+"],
};

/** Only file of the tests with access to a server's database; it knows the kind of database. */
const DATABASE_OF_TESTS = "tests/support/database/server-database.ts";
/** Tests of SQLite itself, of the configuration's defaults and of these rules, and their helpers. */
const SQLITE_IN_TESTS = [
  "tests/support/{database/database,database/migrate-process,billing/cashier-store}.ts",
  "tests/unit/platform/{db,db-lock,old-database,env}.test.ts",
  "tests/unit/server/{update,imports,move-database}.test.ts",
  "tests/bench/migrate.ts",
];

/** Code that also runs in browsers, besides each domain's `view`: from server files, it imports only types. */
const IN_BROWSERS = { ui: "app/ui/**/*", legal: "app/legal/*" };

function surfaceOf(domain) {
  const { rooms = [] } = DOMAINS[domain];
  return `~/${domain}/${rooms.length > 0 ? `((${rooms.join("|")})/)?` : ""}[^/]+`;
}

/** Globs in the repository, with any folder in front: oxlint matches them from the folder of this file. */
const inRepository = (globs) => globs.map((glob) => (glob.startsWith("**/") ? glob : `**/${glob}`));
const override = ({ files, excludeFiles = [], ...rest }) => ({ files: inRepository(files), excludeFiles: inRepository(excludeFiles), ...rest });

export default {
  plugins: ["typescript", "react"],
  jsPlugins: ["./lint-rules.mjs"],
  categories: { correctness: "error" },
  ignorePatterns: ["build/", "var/", "coverage/", "test-results/", "playwright-report/", "node_modules/"].map((folder) => `**/${folder}`),
  env: { builtin: true },
  rules: {
    ...errors("no-array-constructor", "no-case-declarations", "no-empty", "no-fallthrough", "no-prototype-builtins", "no-redeclare", "no-regex-spaces"),
    ...errors("no-unexpected-multiline", "no-var", "prefer-const", "prefer-rest-params", "prefer-spread", "no-constant-condition"),
    "no-unused-vars": ["error", { argsIgnorePattern: "^_", ignoreRestSiblings: true }],
  },
  overrides: [
    {
      files: [`**/*.${source}`],
      rules: {
        ...errors(...typescript("ban-ts-comment", "consistent-type-imports", "no-empty-object-type", "no-explicit-any", "no-namespace")),
        ...errors(...typescript("no-require-imports", "no-unnecessary-type-constraint")),
        ...errors(...typescript("no-unsafe-argument", "no-unsafe-assignment", "no-unsafe-call", "no-unsafe-function-type")),
        ...errors(...typescript("no-unsafe-member-access", "no-unsafe-return", "prefer-promise-reject-errors", "restrict-plus-operands")),
        // Allows asynchronous event handlers of components and of Express.
        "typescript/no-misused-promises": ["error", { checksVoidReturn: false }],
        // Off for factories with closures: nothing uses `this`, and their methods may be passed on.
        "typescript/unbound-method": "off",
        // Off for editors with an older TypeScript, which infers less.
        "typescript/no-unnecessary-type-assertion": "off",
        // Off because names, passwords and marks are counted by code points.
        "typescript/no-misused-spread": "off",
        // Off for default values of types that only noUncheckedIndexedAccess makes optional.
        "typescript/no-useless-default-assignment": "off",
      },
    },
    {
      // Off for server answers in tests, which have no types and are only inspected.
      files: [`tests/**/*.${source}`],
      rules: {
        ...off(...typescript("no-unsafe-argument", "no-unsafe-assignment", "no-unsafe-call", "no-unsafe-member-access", "no-unsafe-return")),
        // Off for identifiers, whose order does not matter.
        ...off("typescript/require-array-sort-compare"),
      },
    },
    {
      files: [`tests/**/*.${source}`],
      excludeFiles: SQLITE_IN_TESTS,
      rules: { "house/imports": ["error", { patterns: [opensSqlite()] }] },
    },
    {
      files: [`tests/**/*.${source}`],
      excludeFiles: [DATABASE_OF_TESTS, ...SQLITE_IN_TESTS],
      rules: { "house/strings": ["error", speaksSqlite()] },
    },
    {
      files: [`app/**/*.${source}`],
      rules: {
        ...errors(...react("rules-of-hooks", "exhaustive-deps", "static-components", "use-memo", "preserve-manual-memoization")),
        ...errors(...react("incompatible-library", "immutability", "globals", "refs", "set-state-in-effect", "error-boundaries")),
        ...errors(...react("purity", "set-state-in-render", "unsupported-syntax")),
      },
    },
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
    // Allowed in the route table, which is read at build time: development has one more page.
    { files: ["app/platform/env.server.ts", "app/routes.ts", "app/scan/browser/find-browser.mjs"], rules: off("no-restricted-properties") },
    ...Object.entries(MAY_IMPORT).map(([folder, allowed]) => ({
      files: [`${folder}.${source}`],
      rules: importRules(folder, allowed),
    })),
    ...ALL.map((domain) => ({
      files: [`${IN_BROWSERS[domain] ?? `app/${domain}/view/**/*`}.${source}`],
      excludeFiles: [`**/*.server.${source}`],
      rules: importRules(`app/${domain}/**/*`, MAY_IMPORT[`app/${domain}/**/*`], { isInBrowsers: true }),
    })),
    // This file imports the texts of every language.
    {
      files: ["app/platform/i18n/text-files.server.ts"],
      rules: importRules("app/platform/**/*", MAY_IMPORT["app/platform/**/*"], { onDemand: false }),
    },
    // Only the server checks schemas: a page that imports one would send the whole library to browsers.
    {
      files: [`app/**/*.${source}`],
      excludeFiles: [`**/*.server.${source}`, `app/routes/**/*`, `app/billing/demo/**/*`],
      rules: { "no-restricted-imports": ["error", { paths: [{ name: "zod", message: "Only server files and routes import it.", allowTypeImports: true }] }] },
    },
    {
      files: ["{app,scripts}/**/*.{js,mjs}"],
      rules: { "house/imports": ["error", { patterns: [upwards("(?!\\.\\./app/scan/browser/find-browser\\.mjs$)")] }] },
    },
  ].map(override),
};

function importRules(folder, allowed, { isInBrowsers = false, onDemand = true } = {}) {
  const house = "(~|db|locales|app|scripts|tests)";
  const message = `Files of ${folder} may not import this; scripts/oxlint.config.mjs says who may import whom.`;
  const patterns = [{ regex: `^(?!(${allowed.join("|")})$)${house}(/|$)`, message }, upwards()];
  if (isInBrowsers) {
    // Type imports are allowed for every match, so this pattern must not match fully forbidden files.
    const ofServer = `^(?!.*\\.\\.)(\\./.+|${allowed.join("|")})(?<=\\.server)$`;
    patterns.push({ regex: ofServer, message: `${message} (A type may.)`, allowTypeImports: true });
  }
  // Without this pattern, files at the top of app/ could import every folder by './'.
  if (folder === "app/*") patterns.push({ regex: "^\\./(?!(legal|platform|reports|site)/).*/", message });
  for (const apart of DOMAINS[folder.split("/")[1]]?.apart ?? []) {
    if (!folder.includes(`/${apart}/`)) patterns.push({ regex: `^\\./${apart}/`, message });
  }
  if (folder.startsWith("app/")) patterns.push({ regex: "^(node:)?process$", message: "Only app/platform/env.server.ts reads it." });
  const packages = {
    regex: `^(?!${house}/|\\.)`,
    message: "Only packages are imported on demand, by name; no rule could tell who imports the rest.",
  };
  return { "house/imports": ["error", { patterns, onDemand: onDemand ? packages : undefined }] };
}

function opensSqlite() {
  return { regex: "^(better-sqlite3|db/sqlite.*\\.server)$", message: `Tests hold for any database: ${DATABASE_OF_TESTS} opens it.` };
}

function speaksSqlite() {
  const regex = "\\brampe\\.db\\b|\\bsqlite_|\\bpragma\\b|\\bvacuum\\b|\\bdbstat\\b|\\bbegin immediate\\b";
  return { regex, message: `Tests hold for any database: ${DATABASE_OF_TESTS} knows what is SQLite's own.` };
}

function upwards(except = "") {
  return {
    regex: `^${except}(.*/)?\\.\\.(/|$)`,
    message: "Relative imports stay inside their folder; use ~/…, db/… or locales/….",
  };
}

function errors(...rules) {
  return Object.fromEntries(rules.map((rule) => [rule, "error"]));
}

function off(...rules) {
  return Object.fromEntries(rules.map((rule) => [rule, "off"]));
}

function typescript(...rules) {
  return rules.map((rule) => `typescript/${rule}`);
}

function react(...rules) {
  return rules.map((rule) => `react/${rule}`);
}
