import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const RUNNERS = {
  lint: "node_modules/oxlint/bin/oxlint",
  unused: "node_modules/knip/bin/knip.js",
  vitest: "node_modules/vitest/vitest.mjs",
  e2e: "node_modules/@playwright/test/cli.js",
};

// Long time limit: each test runs programs, which are slow if many run at once.
let clone = "";
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "rampe-test-command-"));
  cpSync("scripts/test.mjs", join(clone, "scripts/test.mjs"));
  runner("lint", "");
  runner("unused", "");
  runner("vitest", vitest({ passed: 3, total: 3 }));
  runner("e2e", playwright({ expected: 4 }));
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

test("every check is counted, lint and unused code as one test each", () => {
  expect(run()).toEqual({ code: 0, last: "19 passed, 0 failed" });
});

test("a failure does not keep the others from being reported", () => {
  runner("unused", "process.exit(2);");
  runner("vitest", vitest({ passed: 2, total: 3 }, 1));
  expect(run()).toEqual({ code: 1, last: "15 passed, 4 failed" });
});

test("a skipped test has not passed", () => {
  runner("vitest", vitest({ passed: 2, total: 3 }));
  runner("e2e", playwright({ expected: 3, skipped: 1 }));
  expect(run("unit", "e2e")).toEqual({ code: 1, last: "5 passed, 2 failed" });
});

test("a test that passes only on its second try has passed, and is named with its first failure", () => {
  const tried = [{ status: "passed", fullName: "a page is read", failureMessages: ["Error: too late\n  at somewhere"] }];
  runner("vitest", vitest({ passed: 1, total: 1, files: [{ status: "passed", assertionResults: tried }] }));
  const tests = [{ projectName: "de light", status: "flaky", results: [{ error: { message: "not yet there" } }, {}] }];
  runner("e2e", playwright({ expected: 3, flaky: 1, suites: [{ specs: [{ title: "home is seen", tests }] }] }));
  const end = output("unit", "e2e").slice(-500);
  expect(end).toContain("unit, passed on its second try: a page is read\n  Error: too late");
  expect(end).toContain("e2e, passed on its second try: [de light] home is seen\n  not yet there\n");
  expect(run("unit", "e2e")).toEqual({ code: 0, last: "5 passed, 0 failed" });
});

test("a test file that does not load counts as failed", () => {
  runner("vitest", vitest({ passed: 3, total: 3, files: [{ status: "failed", assertionResults: [] }] }, 1));
  expect(run("unit")).toEqual({ code: 1, last: "3 passed, 1 failed" });
});

test("a failed set-up of a test file is named, and none of its tests counts as passed", () => {
  const assertionResults = [{ status: "skipped", fullName: "a page is read", failureMessages: [] }];
  const file = { status: "failed", name: "reading.test.ts", message: "Hook timed out", assertionResults };
  runner("vitest", vitest({ passed: 3, total: 4, files: [file] }, 1));
  expect(output("unit").slice(-500)).toContain("unit: reading.test.ts\n  Hook timed out");
  expect(run("unit")).toEqual({ code: 1, last: "3 passed, 1 failed" });
});

test("failures are repeated at the end, with the reason", () => {
  const assertionResults = [
    { status: "passed", fullName: "a page is read", failureMessages: [] },
    { status: "failed", fullName: "a page is written", failureMessages: ["Error: no ink\n  at somewhere"] },
  ];
  runner("vitest", vitest({ passed: 1, total: 2, files: [{ status: "failed", assertionResults }] }, 1));
  const results = [{ error: { message: "\u001b[31mnothing to see" } }];
  const specs = [{ title: "home is seen", tests: [{ projectName: "de light", status: "unexpected", results }] }];
  runner("e2e", playwright({ unexpected: 1, suites: [{ specs: [], suites: [{ specs }] }] }));
  const end = output("unit", "e2e").slice(-500);
  expect(end).toContain("unit: a page is written\n  Error: no ink");
  expect(end).not.toContain("a page is read");
  expect(end).toContain("e2e: [de light] home is seen\n  nothing to see\n");
});

test.each([
  ["crashes", "process.exit(1);"],
  ["is killed", "process.kill(process.pid, 'SIGKILL');"],
  ["says that all is well without a report", ""],
  ["finds no tests", vitest({ passed: 0, total: 0 })],
  ["fails although its tests passed", vitest({ passed: 3, total: 3 }, 1)],
])("a runner that %s counts as failed", (_how, script) => {
  runner("vitest", script);
  expect(run("unit").last).toMatch(/, 1 failed$/);
  expect(run("unit").code).toBe(1);
});

test("concurrent checks give the same total", () => {
  runner("lint", "console.log('1 problem'); process.exit(1);");
  expect(run("lint", "unused", "unit")).toEqual({ code: 1, last: "4 passed, 1 failed" });
});

test("an unknown check is refused", () => {
  expect(run("unti").code).toBe(1);
});

const start = (args: string[]) =>
  spawnSync(process.execPath, ["scripts/test.mjs", ...args], { cwd: clone, encoding: "utf8" });
const output = (...args: string[]) => start(args).stdout;

function run(...args: string[]) {
  const { status, stdout } = start(args);
  return { code: status, last: stdout.trimEnd().split("\n").at(-1) };
}

function runner(name: keyof typeof RUNNERS, script: string): void {
  const file = join(clone, RUNNERS[name]);
  mkdirSync(dirname(file), { recursive: true });
  const head = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';
  writeFileSync(file, file.endsWith(".mjs") ? head + script : script);
}

function vitest({ passed, total, files = [] }: { passed: number; total: number; files?: object[] }, code = 0): string {
  const report = JSON.stringify({ numPassedTests: passed, numTotalTests: total, testResults: files });
  return `const file = process.argv.find((arg) => arg.startsWith("--outputFile.json=")).split("=")[1];
    require("node:fs").writeFileSync(file, ${JSON.stringify(report)});
    process.exit(${code});`;
}

interface PlaywrightReport {
  expected?: number;
  unexpected?: number;
  skipped?: number;
  flaky?: number;
  suites?: object[];
}

function playwright({ suites, ...stats }: PlaywrightReport): string {
  const counts = { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats };
  const report = JSON.stringify({ stats: counts, suites, errors: [] });
  return `require("node:fs").writeFileSync(process.env.PLAYWRIGHT_JSON_OUTPUT_FILE, ${JSON.stringify(report)});`;
}
