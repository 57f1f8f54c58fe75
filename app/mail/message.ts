import type { StoredMail } from "./mail";

/** Mail in nodemailer's format, the same at every attempt. */
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
    // Header against automatic replies such as absence notes (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated", ...(unsubscribe ? unsubscribeHeaders(unsubscribe) : {}) },
  };
}

/** Headers for an unsubscribe button in mail programs; one-click requests need https (RFC 8058). */
function unsubscribeHeaders(address: string): Record<string, string> {
  const oneClick = { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
  return { "List-Unsubscribe": `<${address}>`, ...(address.startsWith("https:") ? oneClick : {}) };
}
