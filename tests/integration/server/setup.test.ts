import { execFileSync, spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findBrowser } from "~/scan/browser/find-browser.mjs";

const LOCK = {
  packages: {
    "": { name: "rampe" },
    "node_modules/express": { version: "4.22.1" },
    "node_modules/vite": { version: "6.4.6", dev: true },
    "node_modules/@esbuild/other-platform": { version: "0.25.0", optional: true },
  },
};

/** Id of an ordinary user. */
const NOBODY = 65534;

// Long time limit: each test runs programs, which are slow if many run at once.
let clone = "";
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "rampe-setup-"));
  for (const path of ["setup.mjs", "make-ready.mjs", "with-process-lock.mjs", "programs.mjs", "system-packages.mjs"]) cpSync(`scripts/${path}`, join(clone, "scripts", path));
  cpSync("app/scan/browser/find-browser.mjs", join(clone, "app/scan/browser/find-browser.mjs"));
  write("app/root.tsx", "first");
  write("package.json", "{}");
  write("package-lock.json", JSON.stringify(LOCK));
  write("npm-cli.js", NPM);
  program("browser");
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

test("a fresh clone gets packages and a build; the next start has nothing to do", async () => {
  const first = await setup();
  expect(first).toMatchObject({ code: 0, out: "" });
  expect(first.err).toMatch(/Installing packages.*\nBuilding/);
  expect(calls()).toEqual(["npm ci --include=dev --ignore-scripts", "build"]);

  expect(await setup()).toEqual({ code: 0, out: "", err: "" });
  expect(calls()).toEqual(["npm ci --include=dev --ignore-scripts", "build"]);
});

test("SQLite is compiled beside the build, and its failure is told with npm's reasons", async () => {
  const first = await setup({ COMPILES: "1" });
  expect(first).toMatchObject({ code: 0, out: "" });
  expect(calls().slice(0, 1)).toEqual(["npm ci --include=dev --ignore-scripts"]);
  expect(calls().slice(1).sort()).toEqual(["build", "npm rebuild better-sqlite3"]);

  rmSync(join(clone, "node_modules"), { recursive: true });
  const { code, err } = await setup({ COMPILES: "no compiler" });
  expect(code).toBe(1);
  expect(err).toMatch(/no compiler\s+better-sqlite3 does not load/);
});

test("a changed source is built again, without an install", async () => {
  await setup();
  write("app/root.tsx", "second");
  expect((await setup()).err).toBe("Building …\n");
  expect(calls().slice(2)).toEqual(["build"]);
});

test("a build made by another program is built again", async () => {
  await setup();
  write("build/server/serve.js", "of yesterday's sources");
  await setup();
  expect(calls().slice(2)).toEqual(["build"]);
});

test("a changed lock file causes an install", async () => {
  await setup();
  write("package-lock.json", JSON.stringify({ packages: { ...LOCK.packages, "node_modules/pino": { version: "10.1.0" } } }));
  await setup("--no-build");
  expect(calls().slice(2)).toEqual(["npm ci --include=dev --ignore-scripts"]);
});

test("a manual install is kept", async () => {
  install("--include=dev");
  await setup("--dev");
  expect(calls()).toEqual(["build"]);
});

test("packages are installed also if npm finds the lock file incomplete", async () => {
  expect(await setup({ FAIL_CI: "npm error code EUSAGE" })).toMatchObject({ code: 0 });
  expect(calls()).toEqual(["npm ci --include=dev --ignore-scripts", "npm install --no-save --include=dev --ignore-scripts", "build"]);
});

test("a failed install names the reason", async () => {
  const { code, err } = await setup({ FAIL_CI: "npm error network is down" });
  expect(code).toBe(1);
  expect(err).toContain("npm error network is down");
  expect(calls()).toEqual(["npm ci --include=dev --ignore-scripts"]);
});

test("a built server runs without development packages", async () => {
  built();
  install("--omit=dev");
  expect(await setup()).toEqual({ code: 0, out: "", err: "" });
  expect(calls()).toEqual([]);
});

test("an installation in production with a build gets no development packages", async () => {
  built();
  await setup({ NODE_ENV: "production" });
  expect(calls()).toEqual(["npm ci --omit=dev --ignore-scripts"]);
});

test("the tests install missing development packages", async () => {
  built();
  install("--omit=dev");
  await setup("--dev");
  expect(calls()).toEqual(["npm ci --include=dev --ignore-scripts", "build"]);
});

test("the tests notice removed development packages", async () => {
  await setup();
  rmSync(join(clone, "node_modules/vite"), { recursive: true });
  await setup("--dev");
  expect(calls()).toEqual(["npm ci --include=dev --ignore-scripts", "build", "npm ci --include=dev --ignore-scripts"]);
});

test("two set-ups at once do the work once", async () => {
  const both = await Promise.all([setup({ NPM_TAKES: "300" }), setup({ NPM_TAKES: "300" })]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(calls()).toEqual(["npm ci --include=dev --ignore-scripts", "build"]);
});

test("files of a killed set-up do not block the next one", async () => {
  const lock = join(clone, ".setup-lock");
  mkdirSync(lock, { recursive: true });
  const long = new Date(Date.now() - 60_000);
  utimesSync(lock, long, long);
  expect(await setup()).toMatchObject({ code: 0 });
  expect(existsSync(lock)).toBe(false);
});

test("an unusable CHROME_PATH is named", async () => {
  const { code, err } = await setup({ CHROME_PATH: "/no/such/chrome" });
  expect(code).toBe(1);
  expect(err).toContain("CHROME_PATH: /no/such/chrome");
});

test("the browser that .env names is used, unless the environment names one", async () => {
  write(".env", "CHROME_PATH=/no/such/chrome\nNODE_ENV=production\n");
  expect((await setup({ CHROME_PATH: undefined })).err).toContain("CHROME_PATH: /no/such/chrome");
  expect(await setup()).toMatchObject({ code: 0 });
  expect(calls()[0]).toBe("npm ci --include=dev --ignore-scripts");
});

test("a web server by .env gets no browser", async () => {
  write(".env", "ROLE=web\n");
  expect((await setup({ CHROME_PATH: undefined })).code).toBe(0);
  expect(calls()).not.toContain("download");
});

test("without a browser one is downloaded", async () => {
  const { code, err } = await setup({ CHROME_PATH: undefined, DOWNLOAD: "works" });
  expect(err).toContain("Downloading a browser");
  expect(code).toBe(0);
  expect(calls()[0]).toBe("npm ci --include=dev --ignore-scripts");
  // Both run at the same time.
  expect(calls().slice(1).sort()).toEqual(["build", "download"]);
});

if (existsSync("/etc/debian_version")) {
  test("without a compiler, ordinary users are told which command installs one", async () => {
    const isRoot = process.getuid?.() === 0;
    if (isRoot) execFileSync("chown", ["-R", String(NOBODY), clone]);
    const { code, err } = await setup({ COMPILES: "no python" }, isRoot ? NOBODY : undefined);
    expect(code).toBe(1);
    expect(err).toMatch(/better-sqlite3 does not load.*\nA compiler is missing\. Install it: sudo apt-get install .*python3 make g\+\+\n/);
    expect(err).not.toContain("Installing a compiler");
  });
}

// Linux only: elsewhere, this machine's own browser may be found.
if (process.platform === "linux") {
  test("if no browser can be installed, one command is named", async () => {
    program("apt-get", "exit 1");
    const { code, err } = await setup({ CHROME_PATH: undefined });
    expect(code).toBe(1);
    expect(err).toMatch(/No browser to check pages with\. Install one: \S+/);
  });
}

test("CHROME_PATH has precedence over a download, a download over the system's browser", () => {
  const shell = download("chrome-headless-shell", "149.0.1", "chrome-headless-shell");
  const system = program("bin/chromium");
  const env = { HOME: clone, PUPPETEER_CACHE_DIR: join(clone, "cache"), PATH: dirname(system) };
  expect(findBrowser({ ...env, CHROME_PATH: system })).toEqual({ path: system, kind: "chrome" });
  expect(findBrowser(env)).toEqual({ path: shell, kind: "headless-shell" });
  expect(findBrowser({ ...env, PUPPETEER_CACHE_DIR: clone })).toEqual({ path: system, kind: "chrome" });
});

test("of several downloads the newest headless shell that starts is used", () => {
  const chrome = download("chrome", "151.0.0", "chrome");
  const older = download("chrome-headless-shell", "99.0.7", "chrome-headless-shell");
  const newer = download("chrome-headless-shell", "149.0.10", "chrome-headless-shell");
  const env = { HOME: clone, PUPPETEER_CACHE_DIR: join(clone, "cache"), PATH: "" };
  expect(findBrowser(env)?.path).toBe(newer);
  program(newer, "exit 127");
  expect(findBrowser(env)?.path).toBe(older);
  program(older, "exit 127");
  expect(findBrowser(env)).toEqual({ path: chrome, kind: "chrome" });
  expect(findBrowser(env, () => false)).toBeNull();
});

/** Stand-in for npm: records the call, and installs stand-ins for the packages that the set-up itself calls. */
const NPM = `
const fs = require("node:fs"), path = require("node:path");
const args = process.argv.slice(2).filter((arg) => !["--no-audit", "--no-fund"].includes(arg));
const note = (call) => "require('node:fs').appendFileSync(" + JSON.stringify(path.resolve("calls")) + ", " + call + " + '\\\\n');";
eval(note(JSON.stringify("npm " + args.join(" "))));
if (args[0] === "ci" && process.env.FAIL_CI) { console.error(process.env.FAIL_CI); process.exit(1); }
const write = (file, text) => { fs.mkdirSync(path.dirname(file), { recursive: true }); fs.writeFileSync(file, text, { mode: 0o755 }); };
if (args[0] === "rebuild") {
  if (process.env.COMPILES !== "1") { console.error("gyp ERR! " + process.env.COMPILES); process.exit(1); }
  write("node_modules/better-sqlite3/main.js", "module.exports = class { close() {} };");
  process.exit(0);
}
const manifest = (name, bin) => write("node_modules/" + name + "/package.json", JSON.stringify({ name, main: "main.js", bin }));
fs.rmSync("node_modules", { recursive: true, force: true });
manifest("better-sqlite3");
if (!process.env.COMPILES) write("node_modules/better-sqlite3/main.js", "module.exports = class { close() {} };");
manifest("puppeteer", "cli.js");
write("node_modules/puppeteer/cli.js", note("'download'") + "if (process.env.DOWNLOAD) " +
  "require('node:fs').cpSync('browser', require('node:path').join(process.env.PATH, 'chromium'));");
if (!args.includes("--omit=dev")) {
  manifest("vite");
  manifest("@remix-run/dev", { remix: "cli.js" });
  write("node_modules/@remix-run/dev/cli.js", note("'build'") + "const fs = require('node:fs');" +
    "fs.mkdirSync('build/server', { recursive: true }); fs.mkdirSync('build/client', { recursive: true });" +
    "fs.writeFileSync('build/server/serve.js', fs.readFileSync('app/root.tsx'));");
}
const packages = JSON.parse(fs.readFileSync("package-lock.json")).packages;
const got = Object.entries(packages).filter(([, { dev, optional }]) => !optional && !(dev && args.includes("--omit=dev")));
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(process.env.NPM_TAKES ?? 0));
write("node_modules/.package-lock.json", JSON.stringify({ packages: Object.fromEntries(got) }));
`;

/** @param how flags, environment, user id */
function setup(...how: (string | number | undefined | Partial<NodeJS.ProcessEnv>)[]) {
  const flags = how.filter((part) => typeof part === "string");
  const uid = how.find((part) => typeof part === "number");
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: "test",
    PATH: clone,
    HOME: clone,
    CHROME_PATH: join(clone, "browser"),
    npm_execpath: join(clone, "npm-cli.js"),
    ...how.find((part) => typeof part === "object"),
  };
  return new Promise<{ code: number | null; out: string; err: string }>((resolve, reject) => {
    const child = spawn(process.execPath, [join(clone, "scripts/setup.mjs"), ...flags], { env, uid, cwd: tmpdir() });
    let out = "";
    let err = "";
    child.stdout.on("data", (data) => (out += data));
    child.stderr.on("data", (data) => (err += data));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, out, err }));
  });
}

function calls(): string[] {
  const file = join(clone, "calls");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
}

/** Installs packages by hand. */
function install(kind: string): void {
  execFileSync(process.execPath, ["npm-cli.js", "ci", kind], { cwd: clone });
  rmSync(join(clone, "calls"));
}

/** Creates a build from elsewhere. */
function built(): void {
  write("build/server/serve.js", "built elsewhere");
  write("build/client/page.js", "");
}

/** Program that starts, or runs the script; returns its path. */
function program(path: string, script = "exit 0"): string {
  const file = path.startsWith("/") ? path : join(clone, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

function download(browser: string, version: string, name: string): string {
  const platform = process.platform === "darwin" ? "mac" : "linux";
  return program(join(clone, "cache", browser, `${platform}-${version}`, `${browser}-${platform}64`, name));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(clone, path)), { recursive: true });
  writeFileSync(join(clone, path), text);
}
