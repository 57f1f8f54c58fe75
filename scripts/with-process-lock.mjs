import { mkdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const BEAT_MS = 1_000;
const STALE_MS = 15_000;

/**
 * Mutex between processes: waits for the lock, then does the work. The lock is a folder; its holder updates the
 * folder's time as a heartbeat. A lock with an old time remains from a crash and is removed.
 *
 * @param {string} lock path of the folder
 * @param {() => Promise<void>} work
 * @param {() => void} waiting called once, if another process holds the lock
 */
export async function withProcessLock(lock, work, waiting = () => {}) {
  mkdirSync(dirname(lock), { recursive: true });
  for (let waited = false; !take(lock); waited = true) {
    if (!waited) waiting();
    await sleep(200 + Math.random() * 200);
  }
  const beat = setInterval(() => touch(lock), BEAT_MS);
  const release = () => rmSync(lock, { recursive: true, force: true });
  const interrupted = () => process.exit(1);
  process.once("exit", release);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, interrupted);
  try {
    await work();
  } finally {
    clearInterval(beat);
    release();
    process.off("exit", release);
    for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, interrupted);
  }
}

function take(lock) {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  if (age(lock) > STALE_MS) clear(lock);
  return false;
}

function age(lock) {
  const taken = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  return taken === undefined ? 0 : Date.now() - taken;
}

/** Atomic: only one of several waiting processes can rename the old lock. */
function clear(lock) {
  const old = `${lock}.${process.pid}`;
  try {
    renameSync(lock, old);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return;
  }
  rmSync(old, { recursive: true, force: true });
}

function touch(lock) {
  const now = new Date();
  try {
    utimesSync(lock, now, now);
  } catch (error) {
    if (error.code !== "ENOENT") throw error; // this machine slept, and another process took the lock
  }
}
