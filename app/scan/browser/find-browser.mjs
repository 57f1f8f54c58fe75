/**
 * Finds the browser for the engine. Plain Node without packages, because the set-up calls it before anything is
 * installed.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, delimiter, join, resolve } from "node:path";

/**
 * Finds a browser: the one named by `CHROME_PATH`, else Puppeteer's newest download, else one of the system. The headless
 * shell comes first if there is a choice, because it starts about three times as fast.
 *
 * @param {Record<string, string | undefined>} [env]
 * @param {(path: string) => boolean} starts whether a browser that exists also runs; a download whose shared libraries
 *   are missing does not, and the next one is tried
 * @returns {{ path: string, kind: "headless-shell" | "chrome" } | null} null when there is none
 * @throws {Error} one line that names `CHROME_PATH`, when that is set and cannot be used
 */
export function findBrowser(env = process.env, starts = startsUp) {
  if (env.CHROME_PATH) {
    if (isProgram(env.CHROME_PATH) && starts(env.CHROME_PATH)) return browser(env.CHROME_PATH);
    throw new Error(`CHROME_PATH: ${env.CHROME_PATH} is not a Chrome or Chromium that starts; name one, or unset it.`);
  }
  for (const path of candidates(env)) if (isProgram(path) && starts(path)) return browser(path);
  return null;
}

/**
 * Does a browser start at all? Asked by `--version` (10 s at most).
 *
 * @param {string} path
 */
export function startsUp(path) {
  // On Windows Chrome answers `--version` by opening a window.
  if (process.platform === "win32") return true;
  return spawnSync(path, ["--version"], { stdio: "ignore", timeout: 10_000, killSignal: "SIGKILL" }).status === 0;
}

/** @param {string} path */
function browser(path) {
  return { path: resolve(path), kind: /headless[-_]shell/i.test(basename(path)) ? "headless-shell" : "chrome" };
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** @param {Record<string, string | undefined>} env */
function* candidates(env) {
  const home = env.HOME || env.USERPROFILE || homedir();
  const cache = env.PUPPETEER_CACHE_DIR || join(home, ".cache", "puppeteer");
  yield* downloads(join(cache, "chrome-headless-shell"), "chrome-headless-shell");
  yield* downloads(join(cache, "chrome"), "chrome");

  const onPath = ["chromium-headless-shell", "chromium", "google-chrome", "chromium-browser", "google-chrome-stable"];
  for (const name of onPath) {
    for (const folder of (env.PATH ?? "").split(delimiter)) if (folder) yield join(folder, name);
  }

  for (const folder of ["/Applications", join(home, "Applications")]) {
    for (const name of ["Chromium", "Google Chrome"]) yield join(folder, `${name}.app`, "Contents", "MacOS", name);
  }
  for (const folder of [env.ProgramFiles, env["ProgramFiles(x86)"], env.LOCALAPPDATA]) {
    if (folder) yield join(folder, "Google", "Chrome", "Application", "chrome.exe");
  }
}

/**
 * Programs below one browser of Puppeteer's cache, newest first: `<platform>-<version>/<name>-<platform>/<program>`
 * (https://github.com/puppeteer/puppeteer/tree/main/packages/browsers).
 *
 * @param {string} cache
 * @param {string} name
 */
function* downloads(cache, name) {
  const platform = { linux: "linux", darwin: "mac", win32: "win" }[/** @type {string} */ (process.platform)];
  const testing = "Google Chrome for Testing";
  const programs = [name, `${name}.exe`, join(`${testing}.app`, "Contents", "MacOS", testing)];
  const versions = list(cache).filter((folder) => platform && folder.startsWith(platform));
  for (const version of versions.sort(newestFirst)) {
    for (const folder of list(join(cache, version))) {
      if (folder.startsWith(name)) for (const program of programs) yield join(cache, version, folder, program);
    }
  }
}

/**
 * @param {string} a such as `linux-149.0.7827.22`
 * @param {string} b
 */
function newestFirst(a, b) {
  const version = (/** @type {string} */ name) => name.slice(name.indexOf("-") + 1);
  return version(b).localeCompare(version(a), "en", { numeric: true });
}

/** @param {string} folder */
function list(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
