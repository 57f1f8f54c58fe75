import path from "node:path";
import type { Cookie } from "@remix-run/node";
import type { Logger } from "pino";
import type { Authenticator } from "remix-auth";
import type { Db } from "db/schema";
import type { Env } from "~/platform/env.server";
import { createAuth0 } from "~/accounts/hosted/auth0.server";
import type { HostedIdentity } from "~/accounts/hosted/hosted";
import { createOidc } from "~/accounts/hosted/oidc.server";
import { createLocalAuthenticator } from "~/accounts/local.server";
import { passwordProblem } from "~/accounts/passwords/password-rules.server";
import { queueEntryOf } from "~/accounts/passwords/password-queue.server";
import type { Lane } from "~/accounts/passwords/passwords";
import { createThrottle, type Throttle } from "~/accounts/throttle.server";
import type { PasswordAttempt } from "~/accounts/password-attempt";
import type { PasswordProblem } from "~/accounts/forms.server";
import { createApiLimits, type ApiLimits } from "~/api/api-limits.server";
import { writeContactLetter } from "~/site/contact/letter.server";
import type { SecretBox } from "~/platform/crypto/secret-box.server";
import type { EventLog } from "~/platform/event-log";
import type { Installation } from "~/platform/installation/installation";
import type { Counting } from "~/platform/limits/rate-limit.server";
import { createFileMailer, deleteOldMailFiles } from "~/mail/file-mailer.server";
import { writeLetter } from "~/mail/letters.server";
import { createMailWorker, type MailWorkerOptions } from "~/mail/mail-worker.server";
import { createSmtpMailer } from "~/mail/smtp-mailer.server";
import type { Accounts, AccountsOptions } from "~/accounts/account.server";
import { createApiTokens, type ApiTokens } from "~/api/token.server";
import { createEntitlements, type Entitlements } from "~/billing/entitlement.server";
import { createIdempotency, type Idempotency } from "~/api/idempotency.server";
import { createKnownBrowsers, type KnownBrowsers } from "~/accounts/known-browser.server";
import { createMails, type Mails } from "~/mail/outbox.server";
import { createOutboxList, type OutboxList } from "~/mail/outbox-list.server";
import { createMessages, type Messages } from "~/site/contact/message.server";
import { createSessions, type Sessions } from "~/accounts/session.server";
import { createPendingCookie, createPendingSignIns, type PendingSignIns } from "~/accounts/second-factor/pending-sign-in.server";
import type { Passkeys } from "~/accounts/second-factor/passkeys.server";
import type { SecondFactors } from "~/accounts/second-factor/second-factor.server";
import { createUsers, type User, type Users } from "~/accounts/user.server";
import { createBrowserCookie, createSessionCookie } from "~/accounts/visitor.server";
import { accountsOf, secondFactorsOf } from "./accounts.server";
import { eventLog } from "~/server/event-log.server";

export interface IdentityServices {
  users: Users;
  /** Messages to the operator. */
  messages: Messages;
  accounts: Accounts;
  /** The same accounts, with password checks queued in fair turns. */
  accountsFor(guess: PasswordAttempt, lane?: Lane): Accounts;
  /** Authenticator for a log-in form of this installation. */
  authenticatorFor(guess: PasswordAttempt): Authenticator<User>;
  sessions: Sessions;
  sessionCookie: Cookie;
  secondFactors: SecondFactors;
  passkeys: Passkeys;
  pendingSignIns: PendingSignIns;
  /** Browsers of earlier sign-ins, and the cookie that identifies them. */
  knownBrowsers: KnownBrowsers;
  browserCookie: Cookie;
  entitlements: Entitlements;
  /** Hosted identity provider; null for accounts in this installation. */
  hosted: HostedIdentity | null;
  throttle: Throttle;
  apiTokens: ApiTokens;
  apiLimits: ApiLimits;
  idempotency: Idempotency;
  passwordProblem: PasswordProblem;
  /** True if mails are not sent, but kept in the data folder. */
  keepsMails: boolean;
}

interface Started {
  services: IdentityServices;
  mails: Mails;
  outbox: OutboxList;
  deleteExpired(): Promise<unknown>;
  stop(): Promise<void>;
}

interface IdentityOptions {
  db: Db;
  box: SecretBox;
  /** Secrets: the first one signs, all of them are accepted. */
  secrets: string[];
  installation: Pick<Installation, "leads">;
  runs: AccountsOptions["runs"];
  counting: Counting;
  onMail: MailWorkerOptions["onOutcome"];
}

/** Starts users, their sessions, and their mails. */
export function startIdentity(env: Env, log: Logger, { db, box, secrets, installation, runs, counting, onMail }: IdentityOptions): Started {
  const report = eventLog(log);
  const mails = createMails({ db, box, onPosted: () => mailWorker.wake(), log: report });
  const mailer = mailerOf(env);
  const mailWorker = createMailWorker({ store: mails, mailer, onOutcome: onMail, log: report });
  const users = createUsers({ db });
  const accounts = accountsOf(env, { db, mails, runs });
  const pendingSignIns = createPendingSignIns({ db, cookie: createPendingCookie({ secrets, baseUrl: env.BASE_URL }) });
  const factors = secondFactorsOf(env, { db, box, mails });
  const contact = env.CONTACT_TO ?? env.OPERATOR_EMAIL ?? null;
  const messages = createMessages({ db, mails, write: writeContactLetter, to: contact });
  const sessions = createSessions({ db, box, days: env.SESSION_DAYS });
  const knownBrowsers = createKnownBrowsers({ db });
  const apiTokens = createApiTokens({
    db,
    // No mail to an unconfirmed address, which may belong to a stranger.
    tell: async (trx, { email, emailVerified, locale }, { name }) => {
      if (!emailVerified) return;
      await mails.post(trx, { to: email, ...writeLetter("token_made", locale, { name, link: `${env.BASE_URL}/profile/tokens` }) });
    },
  });
  const idempotency = createIdempotency({ db });
  const started = startMails();

  return {
    services: {
      users,
      messages,
      accounts,
      accountsFor: (guess, lane) => accounts.queuedAs(queueEntryOf(guess, lane)),
      authenticatorFor: (guess) => createLocalAuthenticator(accounts.queuedAs(queueEntryOf(guess))),
      ...factors,
      pendingSignIns,
      sessions,
      sessionCookie: createSessionCookie({ secrets, baseUrl: env.BASE_URL, days: env.SESSION_DAYS }),
      knownBrowsers,
      browserCookie: createBrowserCookie({ secrets, baseUrl: env.BASE_URL }),
      entitlements: createEntitlements({ db, open: env.BILLING === "off" || env.TRIAL_SCANS > 0 }),
      hosted: hostedIdentity(env, secrets, report),
      throttle: createThrottle({}, counting),
      apiTokens,
      apiLimits: createApiLimits(counting),
      idempotency,
      passwordProblem,
      keepsMails: !env.SMTP_URL,
    },
    mails,
    outbox: createOutboxList({ db, box, onDue: () => mailWorker.wake() }),
    deleteExpired: () =>
      Promise.all([
        sessions.deleteExpired(),
        pendingSignIns.deleteExpired(),
        factors.passkeys.deleteExpired(),
        knownBrowsers.deleteUnused(),
        accounts.deleteExpiredLinks(),
        users.deleteUnclaimed(),
        apiTokens.deleteExpired(),
        idempotency.deleteExpired(),
        mails.deleteExpired(),
        messages.deleteExpired(),
        deleteOldMailFiles(outboxOf(env)),
      ]),
    stop: () => started.then(() => mailWorker.stop()),
  };

  async function startMails(): Promise<void> {
    if (env.ROLE === "worker") return;
    try {
      // Leader only: other processes may still be sending these mails. Mails of ended processes are sent some minutes later.
      if (installation.leads()) await takeUp();
    } catch (error) {
      log.error({ err: error }, "mails under way were not taken up again");
    }
    mailWorker.start();
  }

  /** Retries mails that an ended process was sending, and mails messages from the time before the operator had an address. */
  async function takeUp(): Promise<void> {
    await mails.resume();
    await messages.postWaiting();
  }
}

export function mailerOf({ MAIL_FROM, BASE_URL, SMTP_URL, DATA_DIR }: Env) {
  const from = MAIL_FROM ?? `Rampe <noreply@${new URL(BASE_URL).hostname}>`;
  if (SMTP_URL) return createSmtpMailer({ url: SMTP_URL, from });
  return createFileMailer({ folder: outboxOf({ DATA_DIR }), from });
}

const outboxOf = ({ DATA_DIR }: Pick<Env, "DATA_DIR">) => path.join(DATA_DIR, "outbox");

function hostedIdentity(env: Env, secrets: string[], log: EventLog): HostedIdentity | null {
  const installation = { baseUrl: env.BASE_URL, secrets };
  const { AUTH0_DOMAIN: domain, AUTH0_CLIENT_ID, AUTH0_CLIENT_SECRET, OIDC_ISSUER: issuer, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = env;
  if (domain && AUTH0_CLIENT_ID && AUTH0_CLIENT_SECRET) {
    const client = { clientId: AUTH0_CLIENT_ID, clientSecret: AUTH0_CLIENT_SECRET };
    return createAuth0({ domain, ...client, audience: env.AUTH0_AUDIENCE, organization: env.AUTH0_ORGANIZATION, ...installation });
  }
  if (issuer && OIDC_CLIENT_ID && OIDC_CLIENT_SECRET) {
    return createOidc({ issuer, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET, ...installation, log });
  }
  return null;
}
