import { z } from "zod";
import { parseEmailAddress } from "./forms/email-address";
import { isEncrypted } from "./http/encrypted-address";
import { readStorageAddress } from "./objects/storage-address";
import { VAT_KINDS } from "./vat-kind";

/** Error that stops the start: one line with the variable and its accepted values. */
export class InvalidSetting extends Error {
  override name = "InvalidSetting";
}

const list = z.string().transform((value) =>
  value
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean),
);
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max);

// A schema runs all its checks even after a failure; only `pipe` stops at the first.
const origin = z
  .url({ protocol: /^https?$/ })
  .pipe(z.string().refine((value) => new URL(value).pathname === "/"))
  .transform((value) => new URL(value).origin);

/** True for an address without user and password: `fetch` refuses those. */
function hasNoPassword(address: string): boolean {
  const { username, password } = new URL(address);
  return username === "" && password === "";
}

/** True for the name of an SQLite file or the address of a PostgreSQL database. */
export function isDatabaseAddress(address: string): boolean {
  return /^(file:.+|postgres(ql)?:\/\/.+)/.test(address);
}

const ONE_ADDRESS = "one e-mail address without a name, such as help@example.org";

/** True for a possible recipient of mail, also a mailbox of this machine or network, such as `root@localhost`. */
function isRecipient(address: string): boolean {
  return parseEmailAddress(address) !== null || /^[\w.+-]+@[a-z\d-]+$/i.test(address);
}

/** Accepted values of each variable, in the words of the message that stops the start. */
const settings = {
  NODE_ENV: setting(z.enum(["development", "production", "test"]), "development, production or test", "production"),
  LOG_LEVEL: setting(z.enum(["debug", "info", "warn", "error", "silent"]), "debug, info, warn, error or silent", "info"),
  PORT: setting(wholeNumber(0, 65_535), "a port number from 0 to 65535", "3000"),
  HOST: setting(z.string().min(1), "a host name or an address to listen on", "127.0.0.1"),
  BASE_URL: setting(origin, "an origin such as https://rampe.example (no path)"),
  DATA_DIR: setting(z.string().min(1), "a folder", "var"),
  DATABASE_URL: setting(z.string().refine(isDatabaseAddress), "file:PATH of an SQLite database, or postgres://USER:PASSWORD@HOST/DATABASE"),
  ROLE: setting(z.enum(["all", "web", "worker"]), "all, web or worker", "all"),
  STORAGE_URL: setting(
    z.string().refine((address) => readStorageAddress(address) !== null),
    "file:FOLDER, or s3://BUCKET/PREFIX?region=REGION; for another server than Amazon's, with endpoint=https://HOST",
  ),
  BACKUP_DIR: setting(z.string().min(1), "a folder for archives"),
  BACKUP_KEEP: setting(wholeNumber(1, 10_000), "a number of archives from 1 to 10000", "7"),
  BACKUP_KEY_FILE: setting(z.string().min(1), "the path of a file with a key of at least 20 characters"),
  UPDATE_COPY: setting(z.enum(["on", "off"]), "on or off", "on"),
  SESSION_SECRET: setting(
    list.pipe(z.array(z.string().min(32)).min(1)),
    "at least 32 characters; several are separated by commas, and the first one signs",
  ),
  SESSION_DAYS: setting(wholeNumber(1, 365), "a number of days from 1 to 365", "14"),
  TRUST_PROXY: setting(z.literal("off").transform(() => 0).or(wholeNumber(0, 10)), "off, or the number of proxies in front up to 10", "off"),
  AUTH0_DOMAIN: setting(z.string().min(1), "the tenant's host name"),
  AUTH0_CLIENT_ID: setting(z.string().min(1), "the application's client id"),
  AUTH0_CLIENT_SECRET: setting(z.string().min(1), "the application's client secret"),
  AUTH0_AUDIENCE: setting(z.string().min(1), "an API identifier"),
  AUTH0_ORGANIZATION: setting(z.string().min(1), "an organisation id"),
  OIDC_ISSUER: setting(
    z.url({ protocol: /^https?$/ }).pipe(z.string().refine(isEncrypted)),
    "the https address that the provider calls its issuer (http only on this machine)",
  ),
  OIDC_CLIENT_ID: setting(z.string().min(1), "the application's client id"),
  OIDC_CLIENT_SECRET: setting(z.string().min(1), "the application's client secret"),
  STRIPE_SECRET_KEY: setting(z.string().regex(/^(sk|rk)_/), "a secret key that begins with sk_ or rk_"),
  STRIPE_WEBHOOK_SECRET: setting(z.string().regex(/^whsec_/), "a signing secret that begins with whsec_"),
  BILLING: setting(z.enum(["stripe", "demo", "off"]), "stripe, demo or off"),
  REGISTRATION: setting(z.enum(["open", "confirmed", "invite", "closed"]), "open, confirmed, invite or closed"),
  SMTP_URL: setting(z.url({ protocol: /^smtps?$/ }), "an address such as smtp://user:password@host:587"),
  MAIL_FROM: setting(z.string().regex(/@/), "an e-mail address"),
  CONTACT_TO: setting(z.string().refine(isRecipient), ONE_ADDRESS),
  SCAN_CONCURRENCY: setting(wholeNumber(1, 64), "a number from 1 to 64"),
  SCAN_MAX_PAGES: setting(wholeNumber(1, 100_000), "a number from 1 to 100000", "200"),
  // Timers allow 24 days at most.
  SCAN_SITE_MINUTES: setting(wholeNumber(0, 34_560), "a number of minutes from 0 to 34560", "240"),
  SCAN_WAITING_PER_ACCOUNT: setting(wholeNumber(1, 100_000), "a number from 1 to 100000", "20"),
  EVIDENCE_MAX_MB: setting(wholeNumber(1, 100_000_000), "a number of megabytes from 1 to 100000000"),
  DISK_MIN_FREE_MB: setting(wholeNumber(0, 100_000_000), "a number of megabytes from 0 to 100000000"),
  SCAN_PAGE_SECONDS: setting(wholeNumber(1, 3600), "a number of seconds from 1 to 3600", "30"),
  SCAN_ALLOW_PRIVATE: setting(list, "hosts, host:port or CIDR, separated by commas", ""),
  SCAN_USER_AGENT: setting(z.string().regex(/^[\x20-\x7e]+$/), "printable ASCII characters"),
  FREE_CHECKS_PER_HOUR: setting(wholeNumber(1, 1_000_000), "a number from 1 to 1000000", "20"),
  TRIAL_SCANS: setting(wholeNumber(0, 1_000_000), "a number from 0 to 1000000", "0"),
  RETENTION_DAYS: setting(wholeNumber(1, 36_500), "a number of days from 1 to 36500", "365"),
  OPERATOR_NAME: setting(z.string(), "text"),
  OPERATOR_ADDRESS: setting(z.string(), "text"),
  OPERATOR_EMAIL: setting(z.string().refine(isRecipient), ONE_ADDRESS),
  OPERATOR_PHONE: setting(z.string(), "text"),
  OPERATOR_TERMS_URL: setting(z.url({ protocol: /^https?$/ }), "an http or https address"),
  OPERATOR_WITHDRAWAL_URL: setting(z.url({ protocol: /^https?$/ }), "an http or https address"),
  OPERATOR_VAT: setting(z.enum(VAT_KINDS), "included, excluded or none"),
  SOURCE_URL: setting(z.url({ protocol: /^https?$/ }), "an http or https address", "https://github.com/rampe/rampe"),
  RELEASES_URL: setting(
    z.url({ protocol: /^https?$/ }).pipe(z.string().refine(isEncrypted).refine(hasNoPassword)),
    "the https address of a JSON document (http only on this machine), without user and password",
  ),
  METRICS_TOKEN: setting(z.string().min(16), "at least 16 characters"),
  CHROME_PATH: setting(z.string().min(1), "the path of Chromium or its headless shell"),
};

function setting<Schema extends z.ZodType<unknown, string>, Default extends string | undefined = undefined>(
  schema: Schema,
  wants: string,
  fallback?: Default,
) {
  return { schema, wants, fallback: fallback as Default };
}

type Settings = typeof settings;
type Read = {
  [Name in keyof Settings]:
    | z.output<Settings[Name]["schema"]>
    | (Settings[Name]["fallback"] extends string ? never : undefined);
};

export type Env = Omit<Read, "BASE_URL" | "DATABASE_URL" | "BILLING" | "REGISTRATION" | "SCAN_USER_AGENT"> & {
  BASE_URL: string;
  /** True if `BASE_URL` is set. */
  hasBaseUrl: boolean;
  DATABASE_URL: string;
  BILLING: "stripe" | "demo" | "off";
  REGISTRATION: "open" | "confirmed" | "invite" | "closed";
  SCAN_USER_AGENT: string;
};

export interface SettingFacts {
  name: string;
  /** Accepted values, in words. */
  wants: string;
  /** Default; null if there is none, or it is computed. */
  fallback: string | null;
}

/** All settings in their order. */
export const SETTINGS: SettingFacts[] = Object.entries(settings).map(([name, { wants, fallback }]) => ({ name, wants, fallback: fallback ?? null }));

/** All environment variables: the search for a browser needs variables of other programs. */
export const processEnv = (): NodeJS.ProcessEnv => process.env;

/** Variables of this process that a `.env` file has set. */
const fromFile = new Set<string>();

/** Loads a `.env` file, if there is one, into the environment; variables that are set already stay. */
export function loadEnvFile(path = ".env"): void {
  const before = new Set(Object.keys(process.env));
  try {
    process.loadEnvFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  for (const name of Object.keys(process.env)) if (!before.has(name)) fromFile.add(name);
}

/** Text and source of a variable of this process; undefined if it is unset or empty. */
export function givenSetting(name: string): { text: string; from: "environment" | "file" } | undefined {
  const text = process.env[name];
  return text ? { text, from: fromFile.has(name) ? "file" : "environment" } : undefined;
}

/**
 * Reads and checks every variable of the configuration; an empty one counts as unset.
 * @throws {InvalidSetting} for the first unusable value.
 */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const read = Object.fromEntries(
    Object.entries(settings).map(([name, { schema, wants, fallback }]) => {
      const given = source[name] || fallback;
      if (given === undefined) return [name, undefined];
      const parsed = schema.safeParse(given);
      if (!parsed.success) throw new InvalidSetting(`${name} is unusable: it wants ${wants}.`);
      return [name, parsed.data];
    }),
  ) as Read;

  const auth0 = [read.AUTH0_DOMAIN, read.AUTH0_CLIENT_ID, read.AUTH0_CLIENT_SECRET];
  if (auth0.some(Boolean) && !auth0.every(Boolean)) {
    throw new InvalidSetting("AUTH0_DOMAIN is unusable: it wants AUTH0_CLIENT_ID and AUTH0_CLIENT_SECRET beside it.");
  }
  const oidc = [read.OIDC_ISSUER, read.OIDC_CLIENT_ID, read.OIDC_CLIENT_SECRET];
  if (oidc.some(Boolean) && !oidc.every(Boolean)) {
    throw new InvalidSetting("OIDC_ISSUER is unusable: it wants OIDC_CLIENT_ID and OIDC_CLIENT_SECRET beside it.");
  }
  if (read.OIDC_ISSUER && read.AUTH0_DOMAIN) {
    throw new InvalidSetting("OIDC_ISSUER is unusable: it wants AUTH0_DOMAIN unset, as people sign in at one provider only.");
  }
  const billing = read.BILLING ?? (read.STRIPE_SECRET_KEY ? "stripe" : "demo");
  if (billing === "stripe" && !read.STRIPE_SECRET_KEY) {
    throw new InvalidSetting("BILLING is unusable: stripe wants STRIPE_SECRET_KEY beside it.");
  }

  const DATABASE_URL = read.DATABASE_URL ?? `file:${read.DATA_DIR}/rampe.db`;
  if (read.ROLE !== "all" && (DATABASE_URL.startsWith("file:") || !read.SESSION_SECRET)) {
    throw new InvalidSetting(`ROLE is unusable: ${read.ROLE} wants DATABASE_URL with a PostgreSQL database, and SESSION_SECRET, beside it.`);
  }

  const BASE_URL = read.BASE_URL ?? `http://localhost:${read.PORT}`;
  return {
    ...read,
    BASE_URL,
    hasBaseUrl: read.BASE_URL !== undefined,
    DATABASE_URL,
    BILLING: billing,
    REGISTRATION: read.REGISTRATION ?? (billing === "off" ? "invite" : "confirmed"),
    // Usual form of crawlers: name, and an address with information.
    SCAN_USER_AGENT: read.SCAN_USER_AGENT ?? `Mozilla/5.0 (compatible; Rampe/1.0; +${BASE_URL})`,
  };
}

/** True if users sign in at an identity provider. */
export const isHosted = ({ AUTH0_DOMAIN, OIDC_ISSUER }: Pick<Env, "AUTH0_DOMAIN" | "OIDC_ISSUER">) => AUTH0_DOMAIN !== undefined || OIDC_ISSUER !== undefined;
