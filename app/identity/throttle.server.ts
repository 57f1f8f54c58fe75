import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { emailKey } from "~/lib/email-address";
import { subscriberOf } from "~/lib/subscriber.server";

const QUARTER_SECONDS = 900;
const HOUR_SECONDS = 3_600;

export interface ThrottleOptions {
  /** Wrong passwords in a quarter of an hour, for one account from one subscriber. */
  perAccount?: number;
  /** Wrong passwords in a quarter of an hour, for all accounts from one subscriber. */
  perSubscriber?: number;
  /** Forms in an hour that make us send mail, from one subscriber. */
  mailsPerSubscriber?: number;
  /** Mails in an hour to one address about one thing, whoever asks for them. */
  mailsPerRecipient?: number;
  /** Forms in an hour that are kept for one subscriber without a session. */
  formsPerSubscriber?: number;
}

/** Counted apart, so that whoever asks for one kind keeps nobody from getting another. */
export type MailReason = "register" | "forgot" | "verify" | "change";

/** `retryAt` is Unix time in ms. */
export type Attempt = { granted: true } | { granted: false; retryAt: number };

/**
 * Slows down who guesses. What is counted always includes where it comes from, so that nobody can lock somebody else
 * out. Kept in memory alone.
 */
export interface Throttle {
  /** Counts as wrong until `succeeded` is called. */
  signIn(email: string, address: string): Promise<Attempt>;
  succeeded(email: string, address: string): Promise<void>;
  /** May this subscriber make us send another mail? */
  mail(address: string): Promise<Attempt>;
  /** May this recipient get another one about the same thing? */
  recipient(about: MailReason, email: string): Promise<boolean>;
  /** May what this subscriber typed be kept until they have signed in? */
  keptForm(address: string): Promise<boolean>;
}

export function createThrottle(options: ThrottleOptions = {}): Throttle {
  const { perAccount = 10, perSubscriber = 60, mailsPerSubscriber = 20, mailsPerRecipient = 5 } = options;
  const { formsPerSubscriber = 30 } = options;
  const accounts = new RateLimiterMemory({ points: perAccount, duration: QUARTER_SECONDS });
  const subscribers = new RateLimiterMemory({ points: perSubscriber, duration: QUARTER_SECONDS });
  const senders = new RateLimiterMemory({ points: mailsPerSubscriber, duration: HOUR_SECONDS });
  const recipients = new RateLimiterMemory({ points: mailsPerRecipient, duration: HOUR_SECONDS });
  const forms = new RateLimiterMemory({ points: formsPerSubscriber, duration: HOUR_SECONDS });
  const pair = (email: string, address: string) => `${subscriberOf(address)} ${emailKey(email)}`;

  return {
    async signIn(email, address) {
      const attempt = await take(accounts, pair(email, address));
      return attempt.granted ? take(subscribers, subscriberOf(address)) : attempt;
    },
    async succeeded(email, address) {
      await accounts.delete(pair(email, address));
      await subscribers.reward(subscriberOf(address));
    },
    mail: (address) => take(senders, subscriberOf(address)),
    recipient: async (about, email) => (await take(recipients, `${about} ${emailKey(email)}`)).granted,
    keptForm: async (address) => (await take(forms, subscriberOf(address))).granted,
  };
}

async function take(limiter: RateLimiterMemory, key: string): Promise<Attempt> {
  try {
    await limiter.consume(key);
    return { granted: true };
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return { granted: false, retryAt: Date.now() + refusal.msBeforeNext };
  }
}
