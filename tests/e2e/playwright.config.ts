import { defineConfig } from "@playwright/test";
import type { VisitorOptions } from "./test";
import { findBrowser } from "../../app/scan/browser/find-browser.mjs";
import { minutes } from "../support/patience";

interface View {
  scripts: boolean;
  locale: "de-DE" | "en-US";
  colorScheme: "light" | "dark";
  width: 320 | 1280;
}

/** Two very different views that run all tests; the most important tests run in more views. */
const EVERYTHING: View[] = [
  { scripts: true, locale: "de-DE", colorScheme: "light", width: 1280 },
  { scripts: false, locale: "en-US", colorScheme: "dark", width: 320 },
];

/** Covering array: each combination of three of the four properties occurs in one of these eight views. */
const VIEWS: View[] = [true, false].flatMap((scripts) =>
  (["de-DE", "en-US"] as const).flatMap((locale) =>
    (["light", "dark"] as const).map((colorScheme): View => {
      const isOdd = [scripts, locale === "de-DE", colorScheme === "light"].filter(Boolean).length % 2 === 1;
      return { scripts, locale, colorScheme, width: isOdd ? 1280 : 320 };
    }),
  ),
);

const nameOf = ({ scripts, locale, colorScheme, width }: View) =>
  `${scripts ? "scripts" : "plain"} ${locale.slice(0, 2)} ${colorScheme} ${width}`;

/** Views whose tests run on PostgreSQL, with `TEST_DATABASE=postgres`. */
const ON_POSTGRES = ["scripts en dark 1280", "plain de light 320"];
const isOnPostgres = process.env.TEST_DATABASE === "postgres";

const isWhole = (view: View) => EVERYTHING.some((each) => nameOf(each) === nameOf(view));

export default defineConfig<VisitorOptions>({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  outputDir: "../../test-results",
  globalSetup: "./global-setup.ts",
  fullyParallel: true,
  // Two workers: with three, each test takes longer, without a gain on two cores.
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // Same as in `tests/vitest.config.ts`.
  retries: process.env.CI ? 1 : 0,
  reporter: "list",
  // Long time-outs: a busy machine is slow, and only an endless wait should fail.
  timeout: minutes(2),
  expect: { timeout: 20_000 },
  use: {
    // Chromium's sandbox refuses to run as root.
    // Without a graphics card, drawing without a separate process saves a tenth of the time.
    launchOptions: { executablePath: findBrowser(process.env)?.path, chromiumSandbox: process.getuid?.() !== 0, args: ["--disable-gpu"] },
  },
  projects: VIEWS.filter((view) => ON_POSTGRES.includes(nameOf(view)) === isOnPostgres).map((view) => ({
    name: nameOf(view),
    grep: isWhole(view) ? undefined : /@core/,
    // For a few tests, a second worker and its browser cost more time than they save; two of these views run at once.
    ...(!isWhole(view) && { workers: 1 }),
    grepInvert: view.scripts ? /@plain/ : /@scripts/,
    use: {
      // Set by the global set-up.
      baseURL: process.env.RAMPE_E2E_ORIGIN,
      javaScriptEnabled: view.scripts,
      locale: view.locale,
      colorScheme: view.colorScheme,
      viewport: { width: view.width, height: view.width === 320 ? 568 : 800 },
    },
  })),
});
