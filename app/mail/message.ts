import type { StoredMail } from "./mail";

/** A mail in nodemailer's words; the same at every attempt. */
export function asMessage({ id, to, subject, text, createdAt }: StoredMail, from: string) {
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? "localhost";
  return {
    from,
    to: { name: "", address: to },
    subject,
    text,
    date: new Date(createdAt),
    messageId: `<${id}@${domain}>`,
    // Nobody's absence note has anything to say to us (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
  };
}
