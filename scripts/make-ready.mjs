/**
 * Set-up, started by `setup.mjs`. Plain Node without packages; if nothing is missing, it prints nothing and ends
 * within a fraction of a second.
 *
 * `--dev`: the next command needs the development packages. `--no-build`: it needs no build.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { findBrowser, startsUp } from "../app/scan/browser/find-browser.mjs";
import { withProcessLock } from "./with-process-lock.mjs";
import { npm, run } from "./programs.mjs";
import { apt, APT_INSTALL, browserCommand, canApt, isDebian } from "./system-packages.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const at = (...path) => join(root, ...path);
const say = (line) => process.stderr.write(`${line}\n`); // standard output belongs to the next command
const flags = process.argv.slice(2);

async function main() {
  takeSettings("CHROME_PATH", "ROLE");
  if (packagesReady() && nativeReady() && browserReady() && buildReady()) return;
  const waiting = () => say("Another set-up is at work here; waiting for it …");
  // Lock, because a build empties its folder.
  await withProcessLock(at(".setup-lock"), makeReady, waiting);
}

async function makeReady() {
  if (!packagesReady()) await installPackages();
  // In parallel: compiling SQLite, which some systems need, takes a minute.
  const steps = await Promise.allSettled([
    nativeReady() || buildNative(),
    browserReady() || installBrowser(),
    buildReady() || build(),
  ]);
  const failed = steps.filter(({ status }) => status === "rejected").map(({ reason }) => reason.message);
  if (failed.length > 0) throw new Error(failed.join("\n\n"));
}

/** Settings of `.env` for the set-up; the others, such as NODE_ENV, would change npm and the build. */
function takeSettings(...names) {
  const file = parseEnv(text(".env") ?? "");
  for (const name of names) if (file[name]) process.env[name] ??= file[name];
}

// Packages

function packagesReady() {
  const dev = devWanted();
  if (dev && !canBuild()) return false;
  const lock = hash(["package-lock.json"]);
  if (stamp().lock === lock) return true;
  if (!installed(dev)) return false;
  remember({ lock });
  return true;
}

/** True for development packages. A built server uses an install made by `npm ci --omit=dev`; such an install stays unchanged. */
function devWanted() {
  if (flags.includes("--dev") || (!isBuilt() && !flags.includes("--no-build"))) return true;
  return existsSync(at("node_modules/.package-lock.json")) ? canBuild() : process.env.NODE_ENV !== "production";
}

/** Compares npm's record of its last install with the lock file. Optional packages depend on the platform. */
function installed(dev) {
  const got = read("node_modules/.package-lock.json")?.packages ?? {};
  return Object.entries(read("package-lock.json").packages).every(([path, wanted]) => {
    const skipped = path === "" || wanted.optional || ((wanted.dev || wanted.devOptional) && !dev);
    return skipped || got[path]?.version === wanted.version;
  });
}

async function installPackages() {
  say("Installing packages …");
  // Without install scripts: only SQLite's is needed, and it runs beside the build.
  const options = [devWanted() ? "--include=dev" : "--omit=dev", "--ignore-scripts"];
  let result = await npm("ci", ...options);
  // If a registry lacks the binaries of some platforms, `npm ci` reports an incomplete lock file.
  if (!result.ok && /EUSAGE/.test(result.output)) result = await npm("install", "--no-save", ...options);
  if (!result.ok) throw new Error(`${result.output}\nThe packages could not be installed; npm's reasons are above.`);
  // Reset, because `npm install` keeps the folder with the record of an earlier install.
  remember({ lock: hash(["package-lock.json"]), node: undefined });
}

function needsCompiler({ output }) {
  return /gyp/.test(output) && ["python3", "make", "g++"].some((tool) => spawnSync(tool, ["--version"]).error);
}

function nativeReady() {
  const node = `${process.version} ${process.platform} ${process.arch}`;
  if (stamp().node === node) return true;
  const open = "new (require('better-sqlite3'))(':memory:').close()";
  if (spawnSync(process.execPath, ["-e", open], { cwd: root }).status !== 0) return false;
  remember({ node });
  return true;
}

async function buildNative() {
  say(`Fetching SQLite for Node ${process.version}, or compiling it, which takes a minute …`);
  let result = await npm("rebuild", "better-sqlite3");
  const compiler = !result.ok && needsCompiler(result) ? ["python3", "make", "g++"] : [];
  if (compiler.length > 0 && canApt()) {
    say("Installing a compiler for SQLite …");
    if (await apt(...compiler)) result = await npm("rebuild", "better-sqlite3");
  }
  if (nativeReady()) return;
  const byHand = `\nA compiler is missing. Install it: ${APT_INSTALL} ${compiler.join(" ")}`;
  const hint = compiler.length > 0 && isDebian() ? byHand : "";
  throw new Error(`${result.output}\nbetter-sqlite3 does not load; npm's reasons are above.${hint}`);
}

// Browser

function browserReady() {
  // No browser on a web server: workers check the pages for it. Tests do need one.
  if (process.env.ROLE === "web" && !flags.includes("--dev")) return true;
  const identity = (path) => `${path} ${statSync(path).mtimeMs}`;
  const known = stamp().browser;
  const found = findBrowser(process.env, (path) => identity(path) === known || startsUp(path));
  if (found && identity(found.path) !== known) remember({ browser: identity(found.path) });
  return found !== null;
}

async function installBrowser() {
  say("Downloading a browser (Chrome's headless shell, about 100 MB) …");
  const cli = bin("puppeteer", "puppeteer");
  const download = ["browsers", "install", "chrome-headless-shell"];
  const env = { PUPPETEER_SKIP_DOWNLOAD: undefined };
  await run(process.execPath, [cli, ...download], env);
  if (browserReady()) return;

  if (canApt()) say("That did not work. Installing Chromium as a system package …");
  if ((await apt("chromium-headless-shell", "fonts-liberation")) && browserReady()) return;
  if ((await apt("chromium", "fonts-liberation")) && browserReady()) return;
  if (canApt()) await run(process.execPath, [cli, ...download, "--install-deps"], env); // Ubuntu has Chromium only as a snap
  if (browserReady()) return;

  throw new Error(`No browser to check pages with. Install one: ${browserCommand()}\n(or set CHROME_PATH to a Chrome or Chromium).`);
}

// Build

const isBuilt = () => existsSync(at("build/server/serve.js")) && existsSync(at("build/client"));
const canBuild = () => existsSync(at("node_modules/vite"));

function buildReady() {
  if (flags.includes("--no-build")) return true;
  if (!isBuilt()) return false;
  return !canBuild() || text("build/.stamp") === buildHash();
}

/** Hash of the build's input and output: it differs after a build by other means. */
function buildHash() {
  const scripts = readdirSync(at("scripts")).filter((name) => name.endsWith(".ts")).map((name) => `scripts/${name}`);
  const settings = ["vite.config.ts", "scripts/deploy/shipped-packages.mjs", "tsconfig.json", "package-lock.json"];
  return hash(["app", "db", "locales", "public", ...scripts, ...settings, "build/server"]);
}

async function build() {
  say("Building …");
  rmSync(at("build/.stamp"), { force: true });
  const result = await run(process.execPath, [bin("@remix-run/dev", "remix"), "vite:build"], { NODE_ENV: "production" });
  if (!result.ok || !isBuilt()) throw new Error(`${result.output}\nThe build failed; the reasons are above.`);
  writeFileSync(at("build/.stamp"), buildHash());
}

// Results of the last run, stored in node_modules: a new install deletes them.

const stamp = () => read("node_modules/.rampe-setup.json") ?? {};

function remember(facts) {
  try {
    writeFileSync(at("node_modules/.rampe-setup.json"), JSON.stringify({ ...stamp(), ...facts }));
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS"].includes(error.code)) throw error; // an installed image may be read-only
  }
}

function text(path) {
  return existsSync(at(path)) ? readFileSync(at(path), "utf8") : undefined;
}

function read(path) {
  try {
    return JSON.parse(text(path));
  } catch {
    return undefined;
  }
}

/** SHA-256 of files and folders with their names. */
function hash(paths, sum = createHash("sha256")) {
  const add = (path) => {
    const stat = statSync(at(path), { throwIfNoEntry: false });
    if (stat?.isDirectory()) for (const name of readdirSync(at(path)).sort()) add(`${path}/${name}`);
    else if (stat) sum.update(`${path}\0${stat.size}\0`).update(readFileSync(at(path)));
  };
  paths.forEach(add);
  return sum.digest("hex");
}

function bin(name, command) {
  const { bin: bins } = read(`node_modules/${name}/package.json`);
  return at("node_modules", name, typeof bins === "string" ? bins : bins[command]);
}

main().catch((error) => {
  say(error.message);
  process.exitCode = 1;
});
