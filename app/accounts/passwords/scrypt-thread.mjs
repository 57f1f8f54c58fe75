// Program of the thread that hashes passwords; it answers messages one after the other.
import { scryptSync } from "node:crypto";
import { platform, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";

/** Niceness of our browsers, too: on a shared processor core, the web server gets nine times as much CPU time. */
const NICENESS = 10;

// On Linux, only the priority of this thread changes (setpriority(2), "C library/kernel differences"); elsewhere that of the whole process.
if (platform() === "linux") {
  try {
    setPriority(NICENESS);
  } catch {
    // A sandbox may refuse the priority; hashing then slows down other work more.
  }
}

parentPort?.on("message", ({ password, salt, length, options }) => {
  parentPort?.postMessage(scryptSync(password, salt, length, options));
});
