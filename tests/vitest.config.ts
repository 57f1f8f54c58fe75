import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));
const alias = { "~": `${root}app`, db: `${root}db`, locales: `${root}locales` };

/** Those that keep browsers at work. */
const ENGINES = ["scan-*", "crawl*", "site-run", "crash", "hostile", "egress", "safety", "start-and-stop"].map(
  (name) => `tests/integration/${name}.test.ts`,
);

/** Those that put something else in a module's place, which is for nobody else to find there. */
const MOCKING = ["crawl-flow", "crawl-pace"].map((name) => `tests/unit/${name}.test.ts`);

/** Only what will never come is given up: how long all else takes, a busy machine decides. */
const integration = {
  environment: "node",
  testTimeout: 1_200_000,
  hookTimeout: 1_200_000,
  expect: { poll: { timeout: 60_000 } },
} as const;

export default defineConfig({
  root,
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: "unit",
          include: ["tests/unit/**/*.test.{ts,tsx}"],
          exclude: MOCKING,
          environment: "node",
          // Loading the modules anew for each file would take about as long as all tests.
          pool: "threads",
          isolate: false,
          testTimeout: 30_000,
        },
      },
      {
        resolve: { alias },
        test: { name: "unit-mocking", include: MOCKING, environment: "node" },
      },
      {
        resolve: { alias },
        test: {
          name: "integration-engine",
          include: ENGINES,
          ...integration,
          // What is analysed in them takes all of a small machine: two at once would time each other out.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        resolve: { alias },
        test: {
          name: "integration",
          include: ["tests/integration/**/*.test.ts"],
          exclude: ENGINES,
          ...integration,
          // Much of it is waiting for programs to start, for retries and for limits to pass.
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
