// The program of the thread that hashes passwords: answers one message after the other.
import { scryptSync } from "node:crypto";
import { platform, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";

/** Same as our browsers: on a shared processor core, the web server gets nine times as much CPU time. */
const NICENESS = 10;

// On Linux only the calling thread changes (setpriority(2), "C library/kernel differences"), elsewhere the whole process.
if (platform() === "linux") {
  try {
    setPriority(NICENESS);
  } catch {
    // A sandbox may refuse it; hashing then slows down other work more.
  }
}

parentPort?.on("message", ({ password, salt, length, options }) => {
  parentPort?.postMessage(scryptSync(password, salt, length, options));
});
