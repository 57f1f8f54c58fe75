// The program of the thread that hashes passwords: answers one message after the other.
import { scryptSync } from "node:crypto";
import { platform, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";

/** As that of our browsers: where both want the same processor core, the web server gets nine times as much of it. */
const NICENESS = 10;

// On Linux alone this is about the calling thread (setpriority(2), "C library/kernel differences"), elsewhere about all
// of the process.
if (platform() === "linux") {
  try {
    setPriority(NICENESS);
  } catch {
    // A sandbox may refuse it; hashing then only holds up the others more.
  }
}

parentPort?.on("message", ({ password, salt, length, options }) => {
  parentPort?.postMessage(scryptSync(password, salt, length, options));
});
