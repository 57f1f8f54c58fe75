import { defineConfig } from "@playwright/test";
import type { VisitorOptions } from "./test";
import { findBrowser } from "../../app/scan/find-browser.mjs";

interface View {
  scripts: boolean;
  locale: "de-DE" | "en-US";
  colorScheme: "light" | "dark";
  width: 320 | 1280;
}

/** Two very different visitors try everything; what matters most works in every view there is. */
const EVERYTHING: View[] = [
  { scripts: true, locale: "de-DE", colorScheme: "light", width: 1280 },
  { scripts: false, locale: "en-US", colorScheme: "dark", width: 320 },
];

const VIEWS: View[] = [true, false].flatMap((scripts) =>
  (["de-DE", "en-US"] as const).flatMap((locale) =>
    (["light", "dark"] as const).flatMap((colorScheme) =>
      ([320, 1280] as const).map((width) => ({ scripts, locale, colorScheme, width })),
    ),
  ),
);

const nameOf = ({ scripts, locale, colorScheme, width }: View) =>
  `${scripts ? "scripts" : "plain"} ${locale.slice(0, 2)} ${colorScheme} ${width}`;

const isWhole = (view: View) => EVERYTHING.some((each) => nameOf(each) === nameOf(view));

export default defineConfig<VisitorOptions>({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "../../test-results",
  globalSetup: "./global-setup.ts",
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  reporter: "list",
  expect: { timeout: 10_000 },
  use: {
    // Chromium's sandbox refuses to run as root.
    launchOptions: { executablePath: findBrowser(process.env)?.path, chromiumSandbox: process.getuid?.() !== 0 },
  },
  projects: VIEWS.map((view) => ({
    name: nameOf(view),
    grep: isWhole(view) ? undefined : /@core/,
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
