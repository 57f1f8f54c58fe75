// Preloaded into a server under test: the file CLOCK_FILE contains the difference of its clock from the real one in milliseconds,
// also while it runs. Timers and durations continue unchanged, as when a machine's clock is set.
import { readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const LOOK_EVERY_MS = 100;
const file = process.env["CLOCK_FILE"] ?? "";
const RealDate = Date;
let offset = look();

function look() {
  // Threads have no access to the environment.
  return isMainThread ? Number(readFileSync(file, "utf8")) || 0 : 0;
}

setInterval(() => (offset = look()), LOOK_EVERY_MS).unref();

globalThis.Date = class Date extends RealDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [RealDate.now() + offset] : parts));
  }

  static now() {
    return RealDate.now() + offset;
  }
};
