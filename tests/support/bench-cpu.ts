import { readdirSync, readFileSync } from "node:fs";

/** The kernel's clock ticks a second, as it shows them to programs, on every machine that Node runs on. */
const TICK_MS = 10;
const EVERY_MS = 200;

/**
 * Adds up the CPU time of this process and all that it starts from now on, also of those that end meanwhile (but for the
 * last moment of each), by Linux' `/proc`. Unlike the time on the clock it hardly depends on what else the machine does.
 * @returns what stops it and gives the sum in ms; NaN where there is no `/proc`
 */
export function startCpuClock(): () => number {
  const first = cpuOfTree();
  const last = new Map(first);
  const look = () => cpuOfTree().forEach((ms, pid) => last.set(pid, ms));
  const timer = setInterval(look, EVERY_MS);
  return () => {
    clearInterval(timer);
    look();
    if (last.size === 0) return NaN;
    return [...last].reduce((total, [pid, ms]) => total + ms - (first.get(pid) ?? 0), 0);
  };
}

/** In ms, by process. */
function cpuOfTree(): Map<number, number> {
  const all = new Map(processIds().flatMap((pid) => statOf(pid)));
  const isOurs = (pid: number): boolean => {
    const parent = all.get(pid)?.parent ?? 0;
    return pid === process.pid || (parent > 1 && isOurs(parent));
  };
  return new Map([...all].filter(([pid]) => isOurs(pid)).map(([pid, { ms }]) => [pid, ms]));
}

function processIds(): number[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number);
  } catch {
    return [];
  }
}

function statOf(pid: number): [number, { parent: number; ms: number }][] {
  try {
    // After the command's name in brackets: state, parent, …, and as 12th and 13th the times (proc_pid_stat(5)).
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "").split(" ");
    return [[pid, { parent: Number(fields[1]), ms: (Number(fields[11]) + Number(fields[12])) * TICK_MS }]];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
