import { withinOr } from "~/platform/async/deadline";
import { MINUTE_MS } from "~/platform/durations";
import type { EventLog } from "~/platform/event-log";
import type { Mailer, MailStore, StoredMail } from "./mail";

/** Maximum attempts, with back-off from one minute: over two days, so that a mail server may be down for a weekend without loss. */
const MOST_ATTEMPTS = 17;
/** Time limit of a stop. */
const PATIENCE_MS = 1_000;
const LONGEST_PAUSE_MS = 6 * 60 * MINUTE_MS;
/** Polling interval: other processes may have added mails. */
const LOOK_EVERY_MS = 5 * MINUTE_MS;

export interface MailWorkerOptions {
  store: MailStore;
  mailer: Mailer;
  /** Called after each attempt. */
  onOutcome?: (outcome: "sent" | "failed" | "given_up") => void;
  log?: EventLog;
}

export interface MailWorker {
  start(): void;
  /** Looks for a new mail at once. */
  wake(): void;
  /** Resolves after the current mail was sent, or after a second. */
  stop(): Promise<void>;
}

/** Sends waiting mails one after the other, and retries failed ones. */
export function createMailWorker({ store, mailer, onOutcome = () => {}, log = () => {} }: MailWorkerOptions): MailWorker {
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;
  let stopped = true;
  let again = false;

  function wake(): void {
    if (stopped) return;
    again = true;
    round ??= sendAll().finally(() => {
      round = undefined;
      if (again) wake();
    });
  }

  async function sendAll(): Promise<void> {
    again = false;
    clearTimeout(timer);
    try {
      // Sends a mail that is already taken also during a stop: otherwise it would wait until its lease ends.
      for (let mail = await store.take(); mail; mail = stopped ? null : await store.take()) await send(mail);
      const nextAt = await store.nextAt();
      sleep(nextAt === null ? LOOK_EVERY_MS : Math.max(0, nextAt - Date.now()));
    } catch (error) {
      log("outbox could not be read or written", { err: error });
      sleep(MINUTE_MS);
    }
  }

  function sleep(ms: number): void {
    if (!stopped) timer = setTimeout(wake, Math.min(ms, LOOK_EVERY_MS));
  }

  async function send(mail: StoredMail): Promise<void> {
    try {
      await mailer.deliver(mail);
    } catch (error) {
      const isFinal = mail.attempts >= MOST_ATTEMPTS || (error as { permanent?: boolean }).permanent === true;
      const retryAt = isFinal ? null : Date.now() + pauseAfter(mail.attempts);
      await store.failed(mail.id, error instanceof Error ? error.message : String(error), retryAt);
      // Without the error itself, which may contain the recipient.
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      log(isFinal ? "mail given up" : "mail attempt failed", { code, responseCode, attempts: mail.attempts });
      onOutcome(isFinal ? "given_up" : "failed");
      return;
    }
    await store.sent(mail.id);
    onOutcome("sent");
  }

  return {
    start() {
      stopped = false;
      wake();
    },
    wake,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await withinOr(PATIENCE_MS, round ?? Promise.resolve(), undefined);
      mailer.close();
    },
  };
}

const pauseAfter = (attempts: number) => Math.min(LONGEST_PAUSE_MS, MINUTE_MS * 2 ** (attempts - 1));
