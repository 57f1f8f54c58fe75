import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { emailKey } from "~/lib/email-address";
import { subscriberOf } from "~/lib/subscriber.server";

const QUARTER_SECONDS = 900;
const HOUR_SECONDS = 3_600;
/** Of one subscriber, who may be a whole office. */
const MOST_AT_ONCE = 6;

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
export type MailReason = "register" | "forgot" | "verify" | "change" | "order";

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
  /** Takes an attempt back that could not be looked at. */
  refund(email: string, address: string): Promise<void>;
  /**
   * Lets a subscriber have a few passwords checked at the same time, so that nobody fills the line for all.
   * @returns what says that it has been done; null when they have as many under way
   */
  enter(address: string): (() => void) | null;
  /** May this subscriber make us send another mail? */
  mail(address: string): Promise<Attempt>;
  /** May this recipient get another one about the same thing? */
  recipient(about: MailReason, email: string): Promise<boolean>;
  /** Takes a mail back that was granted and could not be asked for. */
  unsent(about: MailReason, email: string, address: string): Promise<void>;
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
  const underWay = new Map<string, number>();
  const recipientOf = (about: MailReason, email: string) => `${about} ${emailKey(email)}`;
  const pair = (email: string, address: string) => `${subscriberOf(address)} ${emailKey(email)}`;

  return {
    async signIn(email, address) {
      const attempt = await take(subscribers, subscriberOf(address));
      if (!attempt.granted) return attempt;
      const own = await take(accounts, pair(email, address));
      // Who is stopped at one account is not to lose the others as well.
      if (!own.granted) await subscribers.reward(subscriberOf(address));
      return own;
    },
    async succeeded(email, address) {
      await accounts.delete(pair(email, address));
      await subscribers.reward(subscriberOf(address));
    },
    async refund(email, address) {
      await accounts.reward(pair(email, address));
      await subscribers.reward(subscriberOf(address));
    },
    enter(address) {
      const subscriber = subscriberOf(address);
      const present = underWay.get(subscriber) ?? 0;
      if (present >= MOST_AT_ONCE) return null;
      underWay.set(subscriber, present + 1);
      return () => {
        const left = (underWay.get(subscriber) ?? 1) - 1;
        if (left > 0) underWay.set(subscriber, left);
        else underWay.delete(subscriber);
      };
    },
    mail: (address) => take(senders, subscriberOf(address)),
    recipient: async (about, email) => (await take(recipients, recipientOf(about, email))).granted,
    async unsent(about, email, address) {
      await senders.reward(subscriberOf(address));
      await recipients.reward(recipientOf(about, email));
    },
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
