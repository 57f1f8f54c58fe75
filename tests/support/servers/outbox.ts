import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { LOCALES } from "~/platform/i18n/i18n";
import type { LetterKind } from "~/mail/mail";

const MAIL_WITHIN_MS = 60_000;

// Read, not imported: Playwright and Vite load JSON in different ways.
const LETTERS = LOCALES.map((locale) => {
  const file = fileURLToPath(new URL(`../../../locales/${locale}/mail.json`, import.meta.url));
  return JSON.parse(readFileSync(file, "utf8")) as Record<LetterKind, { subject: string }>;
});

export interface ReceivedMail {
  to: string;
  subject: string;
  text: string;
  /** Path and query of the first link. */
  link: string;
  /** The token in that link; empty if there is none. */
  token: string;
}

/**
 * The newest mail of a kind to an address, on a server that stores its mails as files.
 * @param count minimum number of such mails
 * @throws if they do not arrive within a minute
 */
export async function mailTo(dataDir: string, email: string, kind: LetterKind, count = 1): Promise<ReceivedMail> {
  const subjects = LETTERS.map((letters) => letters[kind].subject);
  for (const end = Date.now() + MAIL_WITHIN_MS; Date.now() < end; await delay(25)) {
    const found = mailsTo(dataDir, email).filter(({ subject }) => subjects.includes(subject));
    const newest = found.at(-1);
    if (newest && found.length >= count) return newest;
  }
  const others = mailsTo(dataDir, email).map(({ subject }) => subject);
  throw new Error(`No mail "${subjects[0]}" (${count}) to ${email}; there were: ${others.join(", ") || "none"}`);
}

/** All mails to an address, oldest first. */
export function mailsTo(dataDir: string, email: string): ReceivedMail[] {
  return outboxOf(dataDir)
    .map((file) => parseMail(readFileSync(file, "latin1")))
    .filter(({ to }) => to === email);
}

function outboxOf(dataDir: string): string[] {
  const folder = path.join(dataDir, "outbox");
  try {
    // File names begin with the time.
    const names = readdirSync(folder).filter((name) => name.endsWith(".eml"));
    return names.sort().map((name) => path.join(folder, name));
  } catch (error) {
    // The folder is created with the first mail.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function parseMail(source: string): ReceivedMail {
  const [head = "", ...body] = source.split("\r\n\r\n");
  const headers = new Map(
    head
      .replace(/\r\n[ \t]+/g, " ")
      .split("\r\n")
      .map((line) => [line.split(":", 1)[0]?.toLowerCase() ?? "", line.slice(line.indexOf(":") + 1).trim()] as const),
  );
  const text = decodeBody(body.join("\r\n\r\n"), headers.get("content-transfer-encoding") ?? "7bit");
  const [address = "http://none.invalid/"] = /https?:\/\/\S+/.exec(text) ?? [];
  const { pathname, search, searchParams } = new URL(address);
  return {
    to: /<(.+)>/.exec(headers.get("to") ?? "")?.[1] ?? headers.get("to") ?? "",
    subject: decodeWords(headers.get("subject") ?? ""),
    text,
    link: `${pathname}${search}`,
    token: searchParams.get("token") ?? "",
  };
}

function decodeBody(body: string, encoding: string): string {
  switch (encoding.toLowerCase()) {
    case "quoted-printable":
      return decodeQuoted(body.replace(/=\r\n/g, ""));
    case "base64":
      return Buffer.from(body, "base64").toString();
    default:
      return body;
  }
}

/** Decodes encoded words of a header (RFC 2047); the space between two of them is ignored. */
function decodeWords(header: string): string {
  return header
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([bq])\?(.*?)\?=/gi, (_word, kind: string, text: string) =>
      kind.toLowerCase() === "b" ? Buffer.from(text, "base64").toString() : decodeQuoted(text.replaceAll("_", " ")),
    );
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_code, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}
