import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const MAIL_WITHIN_MS = 10_000;

export interface KeptMail {
  to: string;
  subject: string;
  text: string;
  /** The first address in it, as a path. */
  link: string;
}

/** Mails to an address that a server has kept as files, the oldest first. */
export function mailsTo(dataDir: string, to: string): KeptMail[] {
  const folder = path.join(dataDir, "outbox");
  return files(folder)
    .map((file) => readMail(readFileSync(path.join(folder, file), "utf8")))
    .filter((mail) => mail.to.toLowerCase() === to.toLowerCase());
}

/** Waits for the latest mail to an address that is wanted. @throws when none comes within 10 s */
export async function mailTo(
  dataDir: string,
  to: string,
  isWanted: (mail: KeptMail) => boolean = () => true,
): Promise<KeptMail> {
  for (const end = Date.now() + MAIL_WITHIN_MS; Date.now() < end; await delay(20)) {
    const mail = mailsTo(dataDir, to).filter(isWanted).at(-1);
    if (mail) return mail;
  }
  throw new Error(`no such mail to ${to} in ${dataDir}`);
}

function files(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith(".eml"))
      .sort();
  } catch {
    return [];
  }
}

function readMail(message: string): KeptMail {
  const [head = "", ...body] = message.split("\r\n\r\n");
  const text = unquote(body.join("\n\n")).replaceAll("\r\n", "\n");
  const url = /https?:\/\/\S+/.exec(text)?.[0];
  const { pathname, search } = new URL(url ?? "http://none.invalid/none");
  return { to: header(head, "To"), subject: decodeWords(header(head, "Subject")), text, link: `${pathname}${search}` };
}

const header = (head: string, name: string) =>
  new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, "m").exec(head)?.[1]?.replaceAll(/\r\n[ \t]+/g, " ") ?? "";

const unquote = (text: string) => fromBytes(text.replaceAll(/=\r\n/g, ""));

const fromBytes = (text: string) =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString("utf8");

/** RFC 2047, as nodemailer writes it. */
const decodeWords = (text: string) =>
  text
    .replaceAll(/\?= =\?/g, "?==?")
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/g, (_, word: string) => fromBytes(word.replaceAll("_", " ")));
