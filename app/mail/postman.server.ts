import type { Mailer, MailStore, StoredMail } from "./mail";

const MINUTE_MS = 60_000;
/** Growing from a minute, attempts reach over two days: a mail server that is down over a weekend loses nothing. */
const MOST_ATTEMPTS = 17;
const LONGEST_PAUSE_MS = 6 * 60 * MINUTE_MS;
/** However long nothing is due, others may have written to the database. */
const LOOK_EVERY_MS = 5 * MINUTE_MS;

export interface PostmanOptions {
  store: MailStore;
  mailer: Mailer;
  log?: (event: string, fields?: Record<string, unknown>) => void;
}

export interface Postman {
  start(): void;
  /** There is a new mail. */
  wake(): void;
  /** Resolves when the mail that is on its way has gone, or after a second. */
  stop(): Promise<void>;
}

/** Sends what waits, one mail after the other, and tries again where it fails. */
export function createPostman({ store, mailer, log = () => {} }: PostmanOptions): Postman {
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
      // What was taken is sent, also when the stop came meanwhile: it would have to wait for its lease to end.
      for (let mail = await store.take(); mail; mail = stopped ? null : await store.take()) await send(mail);
      const nextAt = await store.nextAt();
      sleep(nextAt === null ? LOOK_EVERY_MS : Math.max(0, nextAt - Date.now()));
    } catch (error) {
      log("mail.store_failed", { err: error });
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
      const hopeless = mail.attempts >= MOST_ATTEMPTS || (error as { permanent?: boolean }).permanent === true;
      const retryAt = hopeless ? null : Date.now() + pauseAfter(mail.attempts);
      await store.failed(mail.id, error instanceof Error ? error.message : String(error), retryAt);
      // Not the error itself, which may name the recipient.
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      log(hopeless ? "mail.given_up" : "mail.failed", { code, responseCode, attempts: mail.attempts });
      return;
    }
    await store.sent(mail.id);
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
      await Promise.race([round, new Promise((resolve) => setTimeout(resolve, 1_000).unref())]);
      mailer.close();
    },
  };
}

const pauseAfter = (attempts: number) => Math.min(LONGEST_PAUSE_MS, MINUTE_MS * 2 ** (attempts - 1));
