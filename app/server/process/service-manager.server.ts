import { spawn } from "node:child_process";
import type { Logger } from "pino";
import { startPeriodicTask, type PeriodicTask } from "~/platform/async/periodic-task";

/** Node cannot open datagram sockets of Unix, and this program of systemd needs no compiler, as a package would. */
const PROGRAM = "systemd-notify";
const SEND_WITHIN_MS = 10_000;
/** Two signs of life may be late or lost before the service manager restarts the service. */
const SIGNS_PER_WATCHDOG = 3;

/** What a service manager such as systemd is told (sd_notify(3)). */
export interface ServiceManager {
  /**
   * The server listens; from now on the watchdog gets its signs of life, if there is one.
   * @param status for people, as `systemctl status` shows it
   * @param probe no sign of life is sent while this fails or does not end
   */
  ready(status: string, probe: () => Promise<unknown>): void;
  /** Resolves when the service manager has been told, or cannot be told. */
  stopping(): Promise<void>;
}

/**
 * Connects to the service manager that started this process, if any. Takes its variables out of `environment`, because
 * browsers and other child processes must not speak to it.
 */
export function connectServiceManager(environment: Record<string, string | undefined>, log: Pick<Logger, "warn">): ServiceManager {
  const { NOTIFY_SOCKET, WATCHDOG_USEC, PATH } = environment;
  for (const name of ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]) delete environment[name];
  if (!NOTIFY_SOCKET) return { ready() {}, stopping: () => Promise.resolve() };

  const variables: Record<string, string | undefined> = { PATH, NOTIFY_SOCKET };
  let hasWarned = false;
  let sent: Promise<void> = Promise.resolve();
  let signs: PeriodicTask | undefined;

  return {
    ready(status, probe) {
      void send("READY=1", `STATUS=${status}`);
      const watchdogMs = Number(WATCHDOG_USEC ?? 0) / 1_000;
      if (!(watchdogMs > 0)) return;
      signs = startPeriodicTask({
        everyMs: watchdogMs / SIGNS_PER_WATCHDOG,
        work: async () => {
          await probe();
          await send("WATCHDOG=1");
        },
        onError: (error) => log.warn({ err: error }, "no sign of life for the service manager"),
      });
    },
    stopping() {
      void signs?.stop();
      return send("STOPPING=1");
    },
  };

  /** One after the other, in this order. */
  function send(...messages: string[]): Promise<void> {
    sent = sent.then(() => start(messages));
    return sent;
  }

  function start(messages: string[]): Promise<void> {
    return new Promise((resolve) => {
      const child = spawn(PROGRAM, messages, { env: variables as NodeJS.ProcessEnv, stdio: "ignore", timeout: SEND_WITHIN_MS });
      child.once("error", (error) => resolve(warn(error.message)));
      child.once("exit", (code, signal) => resolve(code === 0 ? undefined : warn(`it ended with ${code ?? signal}`)));
    });
  }

  function warn(reason: string): void {
    if (hasWarned) return;
    hasWarned = true;
    log.warn({ reason }, `the service manager (NOTIFY_SOCKET) learns nothing, because ${PROGRAM} does not work`);
  }
}
