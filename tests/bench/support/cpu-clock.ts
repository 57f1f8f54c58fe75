import { readdirSync, readFileSync } from "node:fs";

/** Length of a kernel clock tick in `/proc`, the same on every machine that runs Node. */
const TICK_MS = 10;
const EVERY_MS = 200;

/**
 * Adds up the CPU time of this process and its child processes from the call on, from Linux' `/proc`. Ended processes count, too,
 * except for their last moment. Unlike wall-clock time, it hardly depends on other load of the machine.
 * @returns a function that stops it and returns the sum in ms; NaN without `/proc`
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

/** CPU time so far of this process and its child processes, without ended ones (ms). */
export const cpuNow = (): number => sum([...cpuOfTree().values()]);

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/** CPU time in ms by process. */
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
    // Fields after the command's name in brackets: state, parent, …; the 12th and 13th are the times (proc_pid_stat(5)).
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "").split(" ");
    return [[pid, { parent: Number(fields[1]), ms: (Number(fields[11]) + Number(fields[12])) * TICK_MS }]];
  } catch {
    // The process has ended.
    return [];
  }
}
