import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchOptions } from "./bare-browser";
import { installPackage } from "./install-package";
import { runProgram } from "./run-program";

const VERSION = "4.1.1";

export interface Pa11y {
  versions: Record<string, string>;
  /** Checks pages by its command, two at once. @returns failed pages with reasons, and pages without an answer */
  run(urls: string[]): Promise<{ failed: string[]; lost: string[] }>;
}

/** Installs pa11y-ci. */
export function installPa11y(options: { systemDns: boolean }): Pa11y {
  const { file, versionOf } = installPackage("pa11y-ci", VERSION);
  const program = file("pa11y-ci", "bin", "pa11y-ci.js");
  return {
    versions: Object.fromEntries(
      ["pa11y-ci", "pa11y", "axe-core", "puppeteer"].map((name) => [
        name === "pa11y-ci" ? name : `${name} of pa11y-ci`,
        versionOf(name),
      ]),
    ),
    run: (urls) => check(program, urls, options),
  };
}

async function check(program: string, urls: string[], options: { systemDns: boolean }) {
  const folder = mkdtempSync(join(tmpdir(), "rampe-bench-"));
  const config = join(folder, "pa11yci.json");
  // A file, not a pipe: pa11y-ci exits before a pipe has transferred a long answer.
  const answer = join(folder, "answer.json");
  const reporters = [["json", { fileName: answer }]];
  writeFileSync(config, JSON.stringify({ defaults: { ...defaults(options), reporters }, urls }));
  try {
    const { out, err } = await runProgram([program, "--config", config]);
    if (!existsSync(answer)) throw new Error(`pa11y-ci gave no result: ${out}${err}`);
    return read(readFileSync(answer, "utf8"), urls);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function defaults(options: { systemDns: boolean }) {
  return {
    runners: ["axe"],
    standard: "WCAG2AA",
    concurrency: 2,
    // With one context per page, its pages fail.
    useIncognitoBrowserContext: false,
    // No page may fail because of a timeout.
    timeout: 600_000,
    chromeLaunchConfig: { ...launchOptions(options), headless: "shell" },
  };
}

/** Entry for each page: its issues, or one error, which has only a message. */
function read(answer: string, urls: string[]) {
  const { results } = JSON.parse(answer) as { results: Record<string, { message: string; code?: string }[]> };
  const pathOf = (url: string) => new URL(url).pathname;
  const answers = new Map(Object.entries(results).map(([url, issues]) => [pathOf(url), issues]));
  return {
    lost: urls.filter((url) => !answers.has(pathOf(url))),
    failed: urls.flatMap((url) => {
      const [first] = answers.get(pathOf(url)) ?? [];
      return first && first.code === undefined ? [`${pathOf(url)} (${first.message.split("\n")[0]})`] : [];
    }),
  };
}
