/**
 * Preloaded into a program (`node --import`), records it from inside: every `BENCH_INTERVAL` ms, a line of JSON with its
 * memory and the delay of its event loop is written to the file in `BENCH_MONITOR`. With `BENCH_COLLECT`, the
 * garbage is collected in this interval (s), with a mark in the line: growth there is real. SIGUSR2 starts a CPU profile, and another one
 * writes it to `BENCH_MONITOR` with `.cpuprofile` added.
 */
import { appendFileSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const file = process.env.BENCH_MONITOR;
// Child processes inherit the environment, but must not be recorded.
delete process.env.BENCH_MONITOR;
delete process.env.NODE_OPTIONS;
if (file) watch(file);

function watch(file) {
  const interval = Number(process.env.BENCH_INTERVAL);
  const every = Math.round((Number(process.env.BENCH_COLLECT ?? 0) * 1_000) / interval);
  const collect = every > 0 ? collector() : () => {};
  let count = 0;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const ms = (nanoseconds) => nanoseconds / 1e6;
  const timer = setInterval(() => {
    const line = { at: Date.now(), pid: process.pid, delayMaxMs: ms(delay.max), delayP99Ms: ms(delay.percentile(99)) };
    delay.reset();
    count += 1;
    const collected = every > 0 && count % every === 0;
    if (collected) collect();
    appendFileSync(file, `${JSON.stringify({ ...line, collected, ...process.memoryUsage() })}\n`);
  }, interval);
  timer.unref();
  process.on("SIGUSR2", profiler(`${file}.cpuprofile`));
}

function collector() {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}

function profiler(file) {
  let session;
  return () => {
    if (!session) {
      session = new Session();
      session.connect();
      session.post("Profiler.enable");
      session.post("Profiler.setSamplingInterval", { interval: 500 });
      session.post("Profiler.start");
      return;
    }
    session.post("Profiler.stop", (_error, answer) => writeFileSync(file, JSON.stringify(answer?.profile)));
    session.disconnect();
    session = undefined;
  };
}
