/**
 * Runs all checks, continues after a failure, and ends with `N passed, N failed`. Tests that passed only on their second
 * try are named: `.ci/run` repeats a failed browser test once, because a busy machine can take a page's time away.
 *
 *   node scripts/test.mjs [lint] [unused] [unit] [integration] [postgres] [e2e] [e2e-postgres]
 *
 * Checks without server and browser run in parallel; the output of each is shown when it is done. The others run one
 * after the other.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const LINES_OF_FAILURE = 6;
const AT_ONCE = new Set(["lint", "unused", "unit"]);

const root = fileURLToPath(new URL("..", import.meta.url));

const oxlint = "node_modules/oxlint/bin/oxlint";
const knip = "node_modules/knip/bin/knip.js";
const vitest = (project) => (report) => ({
  args: ["node_modules/vitest/vitest.mjs", "run", "-c", "tests/vitest.config.ts", "--project", project]
    .concat("--reporter=default", "--reporter=./tests/watchdog.ts", "--reporter=json", `--outputFile.json=${report}`),
  count: countVitest,
});

const playwright = (env) => (report) => ({
  args: ["node_modules/@playwright/test/cli.js", "test", "-c", "tests/e2e/playwright.config.ts", "--reporter=list,json"],
  env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  count: countPlaywright,
});

/** Program of each check, and the counter of its report; a check without a report counts as one test. */
const CHECKS = {
  /** Linter, with type check. */
  lint: () => ({ args: [oxlint, "-c", "scripts/oxlint.config.mjs", "--type-aware", "--type-check"] }),
  unused: () => ({ args: [knip, "-c", "scripts/knip.json", "--include", "files,exports,types,unlisted,dependencies", "--no-progress"] }),
  unit: vitest("unit*"),
  integration: vitest("integration*"),
  postgres: vitest("postgres*"),
  e2e: playwright({}),
  "e2e-postgres": playwright({ TEST_DATABASE: "postgres" }),
};

async function main() {
  const asked = process.argv.slice(2);
  const unknown = asked.find((word) => !Object.hasOwn(CHECKS, word));
  if (unknown) throw new Error(`There is no check '${unknown}', only ${Object.keys(CHECKS).join(", ")}.`);
  const names = asked.length > 0 ? asked : Object.keys(CHECKS);

  const reports = mkdtempSync(join(tmpdir(), "rampe-test-"));
  const results = [];
  try {
    const atOnce = names.filter((name) => AT_ONCE.has(name));
    results.push(...(await Promise.all(atOnce.map((name) => check(name, reports, atOnce.length > 1)))));
    for (const name of names.filter((each) => !atOnce.includes(each))) results.push(await check(name, reports, false));
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }

  // Failures and retries again at the end: a long log may be cut off at the top.
  for (const { name, flaky } of results) for (const each of flaky) console.log(`\n${name}, passed on its second try: ${each}`);
  for (const { name, failures } of results) for (const failure of failures) console.log(`\n${name}: ${failure}`);

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
  const { passed, failed, failures = [], flaky = [] } = tally(code, count, report);
  console.log(`${name}: ${failed === 0 ? "ok" : "FAILED"} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return { name, passed, failed, failures, flaky };
}

/** Resolves with the exit code; not 0 also for a program that could not be started or was killed. */
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
  return silentFailure ? { ...counted, failed: 1, failures: [failure("outside of tests", `It ended with ${code}: see "Unhandled" or the last lines of its output.`)] } : counted;
}

/**
 * Counts tests: a skipped test counts as failed; a file that did not load counts as one failure.
 *
 * @param {{
 *   numTotalTests: number, numPassedTests: number,
 *   testResults: {
 *     status: string, name: string, message: string,
 *     assertionResults: { status: string, fullName: string, failureMessages: string[] }[]
 *   }[]
 * }} report
 */
export function countVitest({ numTotalTests, numPassedTests, testResults }) {
  const broken = testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  // Files whose set-up failed: none of their tests started.
  const unprepared = testResults.filter((file) => file.message && !broken.includes(file));
  const tests = testResults.flatMap((file) => file.assertionResults);
  const describe = ({ status, fullName, failureMessages: [message = status] }) => failure(fullName, message);
  return {
    passed: numPassedTests,
    failed: numTotalTests - numPassedTests + broken.length,
    failures: [
      ...[...broken, ...unprepared].map(({ name, message }) => failure(name, message)),
      ...tests.filter(({ status }) => status !== "passed").map(describe),
    ],
    flaky: tests.filter(({ status, failureMessages }) => status === "passed" && failureMessages.length > 0).map(describe),
  };
}

/**
 * Counts tests: a skipped test counts as failed; errors outside of tests count as one failure.
 *
 * @typedef {{ title: string, specs?: { title: string, tests: Outcome[] }[], suites?: Suite[] }} Suite
 * @typedef {{ projectName: string, status: string, results: { error?: { message?: string } }[] }} Outcome
 * @param {{
 *   stats: { expected: number, unexpected: number, flaky: number, skipped: number },
 *   suites?: Suite[], errors: { message?: string }[]
 * }} report
 */
export function countPlaywright({ stats, suites = [], errors }) {
  const all = suites.flatMap(errorsIn);
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + stats.skipped + Math.min(errors.length, 1),
    failures: [
      ...errors.map(({ message }) => failure("outside of tests", message)),
      ...all.filter(({ status }) => status !== "flaky").map(({ text }) => text),
    ],
    flaky: all.filter(({ status }) => status === "flaky").map(({ text }) => text),
  };
}

/** @param {Suite} suite @returns {{ status: string, text: string }[]} */
function errorsIn({ specs = [], suites = [] }) {
  const outcomes = specs.flatMap(({ title, tests }) => tests.map((test) => ({ title, ...test })));
  const errors = outcomes.flatMap(({ title, projectName, status, results }) =>
    results.flatMap(({ error }) => (error ? [{ status, text: failure(`[${projectName}] ${title}`, error.message) }] : [])),
  );
  return [...errors, ...suites.flatMap(errorsIn)];
}

/** @param {string} name */
function failure(name, message = "") {
  return `${name}\n  ${stripVTControlCharacters(message).split("\n").slice(0, LINES_OF_FAILURE).join("\n  ")}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
