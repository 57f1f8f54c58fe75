import { HOUR_SECONDS } from "~/platform/durations";
import { emailKey } from "~/platform/forms/email-address";
import type { PasswordAttempt } from "./password-attempt";
import { widerNetwork, clientNetwork } from "~/platform/limits/client-network.server";
import { createRateLimit, type Attempt, type Counting } from "~/platform/limits/rate-limit.server";

const QUARTER_SECONDS = HOUR_SECONDS / 4;

export interface ThrottleOptions {
  /** Wrong passwords in a quarter of an hour, for one account from one client network, or in one known browser. */
  perAccount?: number;
  /** Wrong passwords in a quarter of an hour, for all accounts from one client network. */
  perClientNetwork?: number;
  /** Wrong passwords in a quarter of an hour, for all accounts from one wider network (/24, /48). */
  perNetwork?: number;
  /** Wrong passwords in a quarter of an hour for one account, from one wider network. */
  perAccountOfNetwork?: number;
  /** Wrong passwords in a quarter of an hour for one account, from anywhere. */
  anywhere?: number;
  /** Wrong codes of a second factor in a quarter of an hour, for one account. The password was already correct. */
  codesPerAccount?: number;
  /** Forms in an hour that cause mails, from one client network. */
  mailsPerClientNetwork?: number;
  /** Mails in an hour to one address for one reason, requested from anywhere. */
  mailsPerRecipient?: number;
  /** Forms in an hour kept for one client network without a session. */
  formsPerClientNetwork?: number;
}

/** Reasons for mails, each with its own limit: requests for one do not use up another. */
type MailReason = "register" | "forgot" | "verify" | "change" | "order" | "sign-in";

/** Kind of a code: from an authenticator app, or a recovery code. */
export type CodeKind = "app" | "recovery";

/**
 * Limits password guessing. Unknown browsers are counted by client network and by account. Known browsers and password resets
 * are counted separately, so that an attack does not lock the owner out.
 */
export interface Throttle {
  /** Counts an attempt as wrong until `succeeded` is called. */
  signIn(guess: PasswordAttempt): Promise<Attempt>;
  succeeded(guess: PasswordAttempt): Promise<void>;
  /** Removes an attempt from the count, if its password was not checked. */
  refund(guess: PasswordAttempt): Promise<void>;
  /** Counts a code as wrong until `codeAccepted` is called. Apps and recovery codes have separate counts, so that one stays usable. */
  code(kind: CodeKind, userId: string): Promise<Attempt>;
  codeAccepted(kind: CodeKind, userId: string): Promise<void>;
  /** Limit of the mails that a client network may cause. */
  mail(address: string): Promise<Attempt>;
  /** Limit of the mails to a recipient for the same reason. @returns false if no further mail is allowed */
  recipient(about: MailReason, email: string): Promise<boolean>;
  /** Both limits: of the client network, and of the recipient for the same reason. */
  mailTo(about: MailReason, email: string, address: string): Promise<Attempt>;
  /** Refunds a mail that was allowed but could not be requested. */
  unsent(about: MailReason, email: string, address: string): Promise<void>;
  /** Limit of the form input that is kept for a client network until sign-in. @returns false if no further form is kept */
  keptForm(address: string): Promise<boolean>;
}

export function createThrottle(options: ThrottleOptions = {}, counting?: Counting): Throttle {
  const { perAccount = 10, perClientNetwork = 60, perNetwork = 240, perAccountOfNetwork = 30, anywhere = 200 } = options;
  const { codesPerAccount = 5, mailsPerClientNetwork = 20, mailsPerRecipient = 5, formsPerClientNetwork = 30 } = options;
  const pairs = createRateLimit({ name: "account of a network", points: perAccount, seconds: QUARTER_SECONDS }, counting);
  const browsers = createRateLimit({ name: "account in a browser", points: perAccount, seconds: QUARTER_SECONDS }, counting);
  const clientNetworks = createRateLimit({ name: "client network", points: perClientNetwork, seconds: QUARTER_SECONDS }, counting);
  const networks = createRateLimit({ name: "network", points: perNetwork, seconds: QUARTER_SECONDS, grows: true }, counting);
  const ofNetwork = createRateLimit({ name: "account of a wider network", points: perAccountOfNetwork, seconds: QUARTER_SECONDS }, counting);
  const accounts = createRateLimit({ name: "account", points: anywhere, seconds: QUARTER_SECONDS, grows: true }, counting);
  const codes = createRateLimit({ name: "code", points: codesPerAccount, seconds: QUARTER_SECONDS, grows: true }, counting);
  const senders = createRateLimit({ name: "mails of a network", points: mailsPerClientNetwork, seconds: HOUR_SECONDS }, counting);
  const recipients = createRateLimit({ name: "mails to a recipient", points: mailsPerRecipient, seconds: HOUR_SECONDS }, counting);
  const forms = createRateLimit({ name: "kept forms", points: formsPerClientNetwork, seconds: HOUR_SECONDS }, counting);
  const recipientOf = (about: MailReason, email: string) => `${about} ${emailKey(email)}`;

  return {
    async signIn(guess) {
      const counters = countersOf(guess);
      for (const [index, { limit, key }] of counters.entries()) {
        const attempt = await limit.take(key);
        if (attempt.granted) continue;
        // Refund: a blocked account must not use up the limits of the network.
        for (const earlier of counters.slice(0, index)) await earlier.limit.reward(earlier.key);
        return attempt;
      }
      return { granted: true };
    },
    async succeeded(guess) {
      for (const { limit, key, isOwn } of countersOf(guess)) await (isOwn ? limit.forget(key) : limit.reward(key));
    },
    async refund(guess) {
      for (const { limit, key } of countersOf(guess)) await limit.reward(key);
    },
    code: (kind, userId) => codes.take(`${kind} ${userId}`),
    codeAccepted: (kind, userId) => codes.forget(`${kind} ${userId}`),
    mail: (address) => senders.take(clientNetwork(address)),
    recipient: async (about, email) => (await recipients.take(recipientOf(about, email))).granted,
    async mailTo(about, email, address) {
      const attempt = await senders.take(clientNetwork(address));
      return attempt.granted ? recipients.take(recipientOf(about, email)) : attempt;
    },
    async unsent(about, email, address) {
      await senders.reward(clientNetwork(address));
      await recipients.reward(recipientOf(about, email));
    },
    keptForm: async (address) => (await forms.take(clientNetwork(address))).granted,
  };

  /** Limits, the widest network first: a blocked network leaves no entry for each of its addresses. */
  function countersOf({ email, address, browser }: PasswordAttempt) {
    const account = emailKey(email);
    if (browser !== null) return [{ limit: browsers, key: `${browser} ${account}`, isOwn: true }];
    const network = widerNetwork(address);
    const ownNetwork = clientNetwork(address);
    return [
      { limit: networks, key: network, isOwn: false },
      { limit: clientNetworks, key: ownNetwork, isOwn: false },
      // Lower than the limit `accounts`: a single network cannot block the account for all.
      { limit: ofNetwork, key: `${network} ${account}`, isOwn: false },
      { limit: pairs, key: `${ownNetwork} ${account}`, isOwn: true },
      { limit: accounts, key: account, isOwn: false },
    ];
  }
}
