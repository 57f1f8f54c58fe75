import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import LongFirst from "./long-first";
import { alias } from "./support/alias";
import { minutes } from "./support/patience";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Tests that replace a module, separated from all other tests. */
const MOCKING = ["crawl-flow", "crawl-throttle"].map((name) => `tests/unit/scan/${name}.test.ts`);

/** Number of workers; Vitest's default is one less than the cores. */
const UNIT_WORKERS = 2;

/** Tests of pages with small time budgets: their browsers have low priority, so that no other program may run beside them. */
const PAGES = "tests/integration/{scan,axe}/**/*.test.ts";

/** Tests of scanners and servers that mostly wait: for limits, retries and restarts. */
const ENGINE = "tests/integration/engine/**/*.test.ts";

/** Variable for `tests/support/database/postgres.ts`. */
const ON_POSTGRES = { TEST_DATABASE: "postgres" };
const ONLY_POSTGRES = ["platform/{postgres,installation,shared-counting}", "server/postgres-database", "server/move-database"].map((name) => `tests/unit/${name}.test.ts`);
/** Tests of SQLite files, and tests with stopped clocks, which break connections. */
const NOT_POSTGRES = ["tests/unit/administration/backup", "tests/unit/platform/{db,db-lock,old-database}", "tests/unit/mail/outbox", "tests/integration/administration/backup"].map((name) => `${name}.test.ts`);

/** Mark of tests with a database, created directly or by a shared file. */
const MAKES_DATABASE = /freshDatabase\(|support\/database\/(stored-runs|repeated-scan)"/;

/** Tests with database queries, which run again on PostgreSQL. */
const QUERIES = readdirSync(`${root}tests/unit`, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.test\.tsx?$/.test(name) && MAKES_DATABASE.test(readFileSync(`${root}tests/unit/${name}`, "utf8")))
  .map((name) => `tests/unit/${name}`);

/** Tests of several processes on one database, which only PostgreSQL allows. */
const SEVERAL_PROCESSES = "tests/integration/server/{processes,workers}.test.ts";

/** Tests of servers, again on PostgreSQL: the main flows, or with `npm run test:postgres` those of six domains. */
const SERVERS = (process.env["RAMPE_TESTS"] === "postgres"
  ? ["{accounts,administration,api,billing,reports,runs}/**/*"]
  : ["accounts/second-factor", "api/api-schedules", "billing/{billing,payments-double}", "reports/history-and-sharing", "runs/{runs,websites}", "server/{processes,workers}"]
).map((name) => `tests/integration/${name}.test.ts`);

const integration = (name: string, files: string | string[], groupOrder: number, maxWorkers: number, options: { globalSetup?: string; env?: Record<string, string>; exclude?: string[] } = {}) => ({
  resolve: { alias },
  test: {
    name,
    include: [files].flat(),
    environment: "node" as const,
    globalSetup: "./tests/support/servers/prepare-data.ts",
    // Long time-outs: a busy machine is slow, and only an endless wait should fail.
    testTimeout: minutes(2),
    // Some set-ups scan dozens of pages.
    hookTimeout: minutes(5),
    expect: { poll: { timeout: minutes(1.5) } },
    // A busy machine can use up a page's time; the report names each test that needed a second attempt.
    retry: process.env["CI"] ? 1 : 0,
    // Loading the modules again for each file takes seconds.
    isolate: false,
    // On two cores, pages wait for a third of their time.
    maxWorkers,
    // Tests that mostly wait for a page run two at once in a file (`it.concurrent`), like the workers.
    maxConcurrency: 2,
    sequence: { groupOrder },
    ...options,
  },
});

export default defineConfig({
  root,
  test: {
    reporters: ["default", "./tests/watchdog.ts"],
    sequence: { sequencer: LongFirst },
    projects: [
      {
        resolve: { alias },
        test: {
          name: "unit",
          include: ["tests/unit/**/*.test.{ts,tsx}"],
          exclude: [...MOCKING, ...ONLY_POSTGRES],
          environment: "node",
          // Loading the modules anew for each file would take about as long as all tests.
          pool: "threads",
          isolate: false,
          maxWorkers: UNIT_WORKERS,
          testTimeout: minutes(0.5),
        },
      },
      {
        resolve: { alias },
        test: { name: "unit-mocking", include: MOCKING, environment: "node", maxWorkers: UNIT_WORKERS },
      },
      {
        resolve: { alias },
        test: {
          name: "postgres-queries",
          include: [...QUERIES, ...ONLY_POSTGRES],
          exclude: NOT_POSTGRES,
          environment: "node",
          env: ON_POSTGRES,
          globalSetup: "tests/support/database/postgres.ts",
          pool: "threads",
          isolate: false,
          maxWorkers: UNIT_WORKERS,
          testTimeout: minutes(0.5),
          sequence: { groupOrder: 4 },
        },
      },
      integration("postgres-servers", SERVERS, 5, 3, { globalSetup: "tests/support/database/postgres.ts", env: ON_POSTGRES, exclude: NOT_POSTGRES }),
      integration("integration-pages", PAGES, 1, 3),
      integration("integration-engine", ENGINE, 2, 3),
      integration("integration", "tests/integration/!(scan|axe|engine)/**/*.test.ts", 3, 3, { exclude: [SEVERAL_PROCESSES] }),
    ],
  },
});
