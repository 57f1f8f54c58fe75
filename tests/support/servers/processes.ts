import { readdirSync, readFileSync } from "node:fs";

export interface Process {
  pid: number;
  group: number;
  command: string;
}

/** All running processes of this machine, from Linux' `/proc`. */
function processes(): Process[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // Fields after the command's name in brackets: state, parent, group (proc_pid_stat(5)).
      const [state, , group] = readFileSync(`/proc/${name}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      if (state === "Z") return [];
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
      return [{ pid: Number(name), group: Number(group), command }];
    } catch {
      return [];
    }
  });
}

/** All browser processes with this text in their arguments. */
export function browserProcesses(mark: string): Process[] {
  const all = processes();
  const groups = new Set(all.filter(({ command }) => isBrowser(command, mark)).map(({ group }) => group));
  return all.filter(({ group }) => groups.has(group));
}

const isBrowser = (command: string, mark: string) =>
  command.includes(mark) && command.includes("--remote-debugging-pipe");
