import { existsSync, readFileSync } from "node:fs";
import { run } from "./programs.mjs";

export const APT_INSTALL = "sudo apt-get install -y --no-install-recommends";

/** True if this system has Debian's packages; also for Ubuntu. */
export const isDebian = () => existsSync("/etc/debian_version");
export const canApt = () => process.getuid?.() === 0 && isDebian();

/** One call at a time: apt locks its lists. */
let aptCalls = Promise.resolve(true);

/**
 * Installs packages of the system as root on Debian or Ubuntu; does nothing on other systems.
 *
 * @param {...string} packages
 * @returns {Promise<boolean>} true if they are installed
 */
export function apt(...packages) {
  aptCalls = aptCalls.then(() => aptAlone(packages));
  return aptCalls;
}

/** @param {string[]} packages */
async function aptAlone(packages) {
  if (!canApt()) return false;
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update"], env); // may fail for one of many sources; the install shows it
  return (await run("apt-get", ["install", "-y", "--no-install-recommends", ...packages], env)).ok;
}

/**
 * Command to install a browser by hand.
 *
 * @param {string | null} [osRelease] content of `/etc/os-release`; null for a system without Debian's packages
 */
export function browserCommand(osRelease = ownRelease()) {
  const download = "npx puppeteer browsers install chrome-headless-shell";
  if (osRelease === null) return download;
  // Ubuntu has Chromium only as a snap. The path: npx may be in the user's own folder.
  if (/^ID="?ubuntu"?$/m.test(osRelease)) return `sudo env "PATH=$PATH" ${download} --install-deps`;
  return `${APT_INSTALL} chromium-headless-shell fonts-liberation`;
}

function ownRelease() {
  if (!isDebian()) return null;
  return existsSync("/etc/os-release") ? readFileSync("/etc/os-release", "utf8") : "";
}
