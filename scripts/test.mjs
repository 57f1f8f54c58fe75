/**
 * Runs every check there is, one after the other, goes on after a failure, and ends with `N passed, N failed`.
 *
 *   node scripts/test.mjs [--parallel] [types] [lint] [unit] [integration] [e2e]
 *
 * `--parallel` runs the named checks at once and shows what each said when it is through.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

const tsc = "node_modules/typescript/bin/tsc";
const eslint = "node_modules/eslint/bin/eslint.js";
const vitest = (project) => (report) => ({
  args: ["node_modules/vitest/vitest.mjs", "run", "-c", "tests/vitest.config.ts", "--project", project]
    .concat("--reporter=default", "--reporter=json", `--outputFile.json=${report}`),
  count: countVitest,
});

/** What each check runs, and how its report is counted; one without a report counts as a single test. */
const CHECKS = {
  types: () => ({ args: [tsc] }),
  lint: () => ({ args: [eslint, "-c", "scripts/eslint.config.js", "--max-warnings=0", "."] }),
  unit: vitest("unit"),
  integration: vitest("integration"),
  e2e: (report) => ({
    args: ["node_modules/@playwright/test/cli.js", "test", "-c", "tests/e2e/playwright.config.ts", "--reporter=list,json"],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    count: countPlaywright,
  }),
};

async function main() {
  const words = process.argv.slice(2);
  const parallel = words.includes("--parallel");
  const asked = words.filter((word) => word !== "--parallel");
  const unknown = asked.find((word) => !Object.hasOwn(CHECKS, word));
  if (unknown) throw new Error(`There is no check '${unknown}', only ${Object.keys(CHECKS).join(", ")}.`);
  const names = asked.length > 0 ? asked : Object.keys(CHECKS);

  const reports = mkdtempSync(join(tmpdir(), "rampe-test-"));
  const results = [];
  try {
    if (parallel) results.push(...(await Promise.all(names.map((name) => check(name, reports, true)))));
    else for (const name of names) results.push(await check(name, reports, false));
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }

  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  console.log(`\n${results.map(({ name, passed, failed }) => `${name}: ${passed}/${passed + failed}`).join("  ")}`);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
  process.exitCode = sum("failed") > 0 ? 1 : 0;
}

async function check(name, reports, quiet) {
  const report = join(reports, `${name}.json`);
  const { args, env, count } = CHECKS[name](report);
  const title = `\n── ${name} ${"─".repeat(60 - name.length)}`;
  if (!quiet) console.log(title);
  const started = Date.now();
  const { code, output } = await run(args, env, quiet);
  if (quiet) process.stdout.write(`${title}\n${output}`);
  const { passed, failed } = tally(code, count, report);
  console.log(`${name}: ${failed === 0 ? "ok" : "FAILED"} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return { name, passed, failed };
}

/** Resolves with the exit code, which is not 0 either when the program could not be started or was killed. */
function run(args, env, quiet) {
  return new Promise((resolve) => {
    const stdio = quiet ? ["ignore", "pipe", "pipe"] : "inherit";
    const color = quiet && process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
    const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...color, ...env }, stdio });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => (output += data));
    child.once("error", (error) => resolve({ code: 1, output: error.message }));
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

function tally(code, count, report) {
  if (!count) return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  let counted = { passed: 0, failed: 0 };
  try {
    counted = count(JSON.parse(readFileSync(report, "utf8")));
  } catch {
    return { passed: 0, failed: 1 }; // it crashed before it could report
  }
  const silentFailure = counted.failed === 0 && (code !== 0 || counted.passed === 0);
  return silentFailure ? { ...counted, failed: 1 } : counted;
}

/**
 * A test that was skipped has not passed; a file that did not load has failed once.
 *
 * @param {{ numTotalTests: number, numPassedTests: number, testResults: { status: string, assertionResults: unknown[] }[] }} report
 */
export function countVitest(report) {
  const broken = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  return { passed: report.numPassedTests, failed: report.numTotalTests - report.numPassedTests + broken.length };
}

/**
 * A test that was skipped, or passed only when tried again, has not passed; errors outside of tests are one failure.
 *
 * @param {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number }, errors: unknown[] }} report
 */
export function countPlaywright({ stats, errors }) {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped + Math.min(errors.length, 1) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
