import { spawn } from "node:child_process";
import type { Logger } from "pino";
import { startPeriodicTask, type PeriodicTask } from "~/platform/async/periodic-task";

/** Program of systemd that sends notifications: Node cannot open Unix datagram sockets, and a package for it needs a compiler. */
const PROGRAM = "systemd-notify";
const SEND_WITHIN_MS = 10_000;
/** Heartbeats per watchdog time: two may be late or lost before the service manager restarts the service. */
const SIGNS_PER_WATCHDOG = 3;

/** Notifications to a service manager such as systemd (sd_notify(3)). */
export interface ServiceManager {
  /**
   * Reports that the server listens, and starts the heartbeat of the watchdog, if there is one.
   * @param status text for people, shown by `systemctl status`
   * @param probe the heartbeat stops while the probe fails or does not end
   */
  ready(status: string, probe: () => Promise<unknown>): void;
  /** Reports the stop. Resolves when the service manager has been notified, or cannot be notified. */
  stopping(): Promise<void>;
}

/**
 * Connects to the service manager that started this process, if any. Removes its variables from `environment`, because
 * browsers and other child processes must not notify it.
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

  /** Sends messages one after the other, in the order of the calls. */
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
