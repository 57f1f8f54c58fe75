import { spawn } from "node:child_process";

const WITHIN_MS = 5_000;

const FORBIDDEN =
  "this system forbids the browser its sandbox (user namespaces): Ubuntu 23.10 and newer allow it with " +
  "kernel.apparmor_restrict_unprivileged_userns=0 (sysctl), other systems with user.max_user_namespaces above 0; a chroot never does";

export const WITHOUT_SANDBOX = "without its sandbox, as this program runs as root: run it as another user";

/** Chromium's sandbox refuses to run as root. */
export const runsWithoutSandbox = (): boolean => process.getuid?.() === 0;

/** Error with its remedy: the browser exists, but cannot start because of its sandbox. */
export class SandboxForbidden extends Error {
  constructor(options: ErrorOptions) {
    super(FORBIDDEN, options);
  }
}

/**
 * Does the browser itself report a missing sandbox? Puppeteer does not keep the browser's output.
 *
 * @param args arguments with which the browser ends by itself
 */
export function lacksSandbox(executablePath: string, args: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    // A process group of its own: the program may be a script that starts the browser.
    const child = spawn(executablePath, args, { stdio: ["ignore", "ignore", "pipe"], detached: true });
    const timer = setTimeout(kill, WITHIN_MS);
    let said = "";
    child.stderr.on("data", (data) => (said += data));
    child.once("error", () => end(false));
    child.once("close", () => end(said.includes("No usable sandbox")));

    function end(answer: boolean) {
      clearTimeout(timer);
      resolve(answer);
    }
    function kill() {
      try {
        if (child.pid) process.kill(-child.pid, "SIGKILL");
      } catch {
        // The process has ended.
      }
    }
  });
}
