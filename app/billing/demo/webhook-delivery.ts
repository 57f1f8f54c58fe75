import { createHmac } from "node:crypto";
import type { Store } from "~/billing/demo/store/store";

/** Address for events, and the secret for their signature. */
export interface Receiver {
  url: string;
  secret: string;
}

export interface WebhookDeliveryOptions {
  store: Store;
  receiver: Receiver;
  /** Back-off after a number of failed attempts, in ms; null: no more attempts. */
  pauseAfter?: (attempts: number) => number | null;
  log?: (problem: string, error: unknown) => void;
}

/** Time limit for the receiver's answer. */
const ANSWER_WITHIN_MS = 20_000;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Growing back-off, for about three days, as in https://docs.stripe.com/webhooks#automatic-retries */
const PAUSES = [
  ...[SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR],
  ...Array.from({ length: 11 }, () => 6 * HOUR),
];

interface Due {
  event: string;
  attempts: number;
  data: string;
}

/**
 * Delivers events to their receiver, oldest first, one after the other, and retries until it answers with 2xx.
 * Undelivered events are in the database, so a stop or a crash only delays them.
 */
export function createWebhookDelivery({
  store,
  receiver,
  pauseAfter = (attempts) => PAUSES[attempts - 1] ?? null,
  log,
}: WebhookDeliveryOptions) {
  const { db, now } = store;
  const due = db.prepare<[number], Due>(
    `SELECT event, attempts, data FROM delivery JOIN object ON object.id = delivery.event
     WHERE delivered_at IS NULL AND next_at <= ? ORDER BY object.seq LIMIT 1`,
  );
  const nextDue = db.prepare<[], { at: number | null }>(
    "SELECT min(next_at) AS at FROM delivery WHERE delivered_at IS NULL",
  );
  const delivered = db.prepare("UPDATE delivery SET attempts = attempts + 1, delivered_at = ? WHERE event = ?");
  const failed = db.prepare("UPDATE delivery SET attempts = attempts + 1, next_at = ? WHERE event = ?");

  let running = false;
  let round: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let abort = new AbortController();

  return {
    start(): void {
      running = true;
      abort = new AbortController();
      store.watch(wake);
      wake();
    },
    async stop(): Promise<void> {
      running = false;
      clearTimeout(timer);
      abort.abort();
      await round;
    },
  };

  function wake(): void {
    if (!running || round) return;
    clearTimeout(timer);
    round = deliverDue()
      .catch((error: unknown) => log?.("Events could not be delivered", error))
      .finally(() => {
        round = null;
        waitForNext();
      });
  }

  function waitForNext(): void {
    const { at = null } = (running && nextDue.get()) || {};
    if (at === null) return;
    // Maximum one minute: `now` may be the clock of a test.
    timer = setTimeout(wake, Math.min(MINUTE, Math.max(10, at - now())));
    timer.unref();
  }

  async function deliverDue(): Promise<void> {
    for (let next = due.get(now()); running && next; next = due.get(now())) await deliver(next);
  }

  async function deliver({ event, attempts, data }: Due): Promise<void> {
    const payload = JSON.stringify(JSON.parse(data), null, 2);
    const isTaken = await post(payload);
    if (isTaken) {
      delivered.run(now(), event);
      return;
    }
    // The receiver may have got it; the next start sends it again.
    if (abort.signal.aborted) return;
    const pause = pauseAfter(attempts + 1);
    failed.run(pause === null ? Number.MAX_SAFE_INTEGER : now() + pause, event);
  }

  /** @returns whether the receiver accepted it */
  async function post(body: string): Promise<boolean> {
    try {
      // The signature uses the real time, because the receiver does; the cashier's clock may be moved.
      const answer = await fetch(receiver.url, {
        method: "POST",
        redirect: "manual",
        headers: {
          "Content-Type": "application/json; charset=utf-8",
          "Stripe-Signature": signatureOf(body, receiver.secret, Math.floor(Date.now() / 1000)),
          "User-Agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
        },
        body,
        signal: AbortSignal.any([abort.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
      });
      await answer.arrayBuffer();
      return answer.ok;
    } catch {
      return false;
    }
  }
}

/** @param time Unix time in seconds */
export function signatureOf(body: string, secret: string, time: number): string {
  return `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")}`;
}
