import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));
const alias = { "~": `${root}app`, db: `${root}db`, locales: `${root}locales` };

/** Those that keep browsers at work. */
const ENGINE = ["scan-*", "crawl*", "site-run", "crash", "hostile", "egress", "safety", "start-and-stop"].map(
  (name) => `tests/integration/${name}.test.ts`,
);

const integration = { environment: "node", testTimeout: 60_000, hookTimeout: 60_000 } as const;

export default defineConfig({
  root,
  test: {
    projects: [
      {
        resolve: { alias },
        test: { name: "unit", include: ["tests/unit/**/*.test.{ts,tsx}"], environment: "node" },
      },
      {
        resolve: { alias },
        test: {
          name: "integration-engine",
          include: ENGINE,
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
          exclude: ENGINE,
          ...integration,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
