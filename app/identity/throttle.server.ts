import { emailKey } from "~/lib/email-address";
import type { Guess } from "~/lib/guess";
import { networkOf, subscriberOf } from "~/lib/subscriber.server";
import { createGrowingLimit, type Attempt } from "./growing-limit.server";

const QUARTER_SECONDS = 900;
const HOUR_SECONDS = 3_600;

export interface ThrottleOptions {
  /** Wrong passwords in a quarter of an hour, for one account from one subscriber, or in one browser that it knows. */
  perAccount?: number;
  /** Wrong passwords in a quarter of an hour, for all accounts from one subscriber. */
  perSubscriber?: number;
  /** The same from one network (/24, /48). */
  perNetwork?: number;
  /** Wrong passwords in a quarter of an hour for one account, from one network. */
  perAccountOfNetwork?: number;
  /** Wrong passwords in a quarter of an hour for one account, from anywhere. */
  anywhere?: number;
  /** Forms in an hour that make us send mail, from one subscriber. */
  mailsPerSubscriber?: number;
  /** Mails in an hour to one address about one thing, whoever asks for them. */
  mailsPerRecipient?: number;
  /** Forms in an hour that are kept for one subscriber without a session. */
  formsPerSubscriber?: number;
}

/** Counted apart, so that whoever asks for one kind keeps nobody from getting another. */
export type MailReason = "register" | "forgot" | "verify" | "change" | "order" | "sign-in";

/**
 * Slows down who guesses. Strangers are counted by where they come from and by the account that they try; the account's owner
 * gets in all the same, in a browser that it knows or by a link that is sent to their address. Kept in memory alone.
 */
export interface Throttle {
  /** Counts as wrong until `succeeded` is called. */
  signIn(guess: Guess): Promise<Attempt>;
  succeeded(guess: Guess): Promise<void>;
  /** Takes an attempt back that could not be looked at. */
  refund(guess: Guess): Promise<void>;
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
  const { perAccount = 10, perSubscriber = 60, perNetwork = 240, perAccountOfNetwork = 30, anywhere = 200 } = options;
  const { mailsPerSubscriber = 20, mailsPerRecipient = 5, formsPerSubscriber = 30 } = options;
  const pairs = createGrowingLimit({ points: perAccount, seconds: QUARTER_SECONDS });
  const browsers = createGrowingLimit({ points: perAccount, seconds: QUARTER_SECONDS });
  const subscribers = createGrowingLimit({ points: perSubscriber, seconds: QUARTER_SECONDS });
  const networks = createGrowingLimit({ points: perNetwork, seconds: QUARTER_SECONDS, grows: true });
  const ofNetwork = createGrowingLimit({ points: perAccountOfNetwork, seconds: QUARTER_SECONDS });
  const accounts = createGrowingLimit({ points: anywhere, seconds: QUARTER_SECONDS, grows: true });
  const senders = createGrowingLimit({ points: mailsPerSubscriber, seconds: HOUR_SECONDS });
  const recipients = createGrowingLimit({ points: mailsPerRecipient, seconds: HOUR_SECONDS });
  const forms = createGrowingLimit({ points: formsPerSubscriber, seconds: HOUR_SECONDS });
  const recipientOf = (about: MailReason, email: string) => `${about} ${emailKey(email)}`;

  return {
    async signIn(guess) {
      const counters = countersOf(guess);
      for (const [index, { limit, key }] of counters.entries()) {
        const attempt = await limit.take(key);
        if (attempt.granted) continue;
        // Who is stopped at one account is not to lose the others as well.
        for (const earlier of counters.slice(0, index)) await earlier.limit.giveBack(earlier.key);
        return attempt;
      }
      return { granted: true };
    },
    async succeeded(guess) {
      for (const { limit, key, isOwn } of countersOf(guess)) await (isOwn ? limit.forget(key) : limit.giveBack(key));
    },
    async refund(guess) {
      for (const { limit, key } of countersOf(guess)) await limit.giveBack(key);
    },
    mail: (address) => senders.take(subscriberOf(address)),
    recipient: async (about, email) => (await recipients.take(recipientOf(about, email))).granted,
    async unsent(about, email, address) {
      await senders.giveBack(subscriberOf(address));
      await recipients.giveBack(recipientOf(about, email));
    },
    keptForm: async (address) => (await forms.take(subscriberOf(address))).granted,
  };

  /** The widest first, so that a network that is stopped leaves nothing in memory for each of its addresses. */
  function countersOf({ email, address, browser }: Guess) {
    const account = emailKey(email);
    if (browser !== null) return [{ limit: browsers, key: `${browser} ${account}`, isOwn: true }];
    const network = networkOf(address);
    const subscriber = subscriberOf(address);
    return [
      { limit: networks, key: network, isOwn: false },
      { limit: subscribers, key: subscriber, isOwn: false },
      // One network alone closes an account to nobody else.
      { limit: ofNetwork, key: `${network} ${account}`, isOwn: false },
      { limit: pairs, key: `${subscriber} ${account}`, isOwn: true },
      { limit: accounts, key: account, isOwn: false },
    ];
  }
}
