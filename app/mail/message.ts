import type { StoredMail } from "./mail";

/** A mail in nodemailer's words; the same at every attempt. */
export function asMessage({ id, to, replyTo, subject, text, createdAt, unsubscribe }: StoredMail, from: string) {
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? "localhost";
  return {
    from,
    to: { name: "", address: to },
    ...(replyTo ? { replyTo: { name: "", address: replyTo } } : {}),
    subject,
    text,
    date: new Date(createdAt),
    messageId: `<${id}@${domain}>`,
    // Nobody's absence note has anything to say to us (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated", ...(unsubscribe ? unsubscribeHeaders(unsubscribe) : {}) },
  };
}

/** Mail programs offer a button then; they press it by themselves only where nobody can listen in (RFC 8058). */
function unsubscribeHeaders(address: string): Record<string, string> {
  const oneClick = { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
  return { "List-Unsubscribe": `<${address}>`, ...(address.startsWith("https:") ? oneClick : {}) };
}
