import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const VERSION = "1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts data that must not be readable from the database file alone. */
export interface SecretBox {
  /** @param purpose use of the text; it can be opened only with the same purpose */
  seal(text: string, purpose: string): string;
  /** Opened text; null if sealed for another purpose, with a removed secret, or by another installation. */
  open(sealed: string, purpose: string): string | null;
  /** The same text, sealed with the first secret. Null if it is sealed with that already, or cannot be opened. */
  renew(sealed: string, purpose: string): string | null;
}

/** @param secrets the first one seals, all of them open: a secret can be replaced while texts with old ones exist */
export function createSecretBox(secrets: string[]): SecretBox {
  const [first, ...older] = secrets.map((secret) => Buffer.from(hkdfSync("sha256", secret, "", "rampe secret box", 32)));
  if (!first) throw new Error("a secret box wants a secret");
  return {
    seal: (text, purpose) => encrypt(text, first, purpose),
    open: (sealed, purpose) => openWith([first, ...older], sealed, purpose),
    renew(sealed, purpose) {
      if (decrypt(sealed, first, purpose) !== null) return null;
      const text = openWith(older, sealed, purpose);
      return text === null ? null : encrypt(text, first, purpose);
    },
  };
}

function openWith(keys: Buffer[], sealed: string, purpose: string): string | null {
  for (const key of keys) {
    const text = decrypt(sealed, key, purpose);
    if (text !== null) return text;
  }
  return null;
}

function encrypt(text: string, key: Buffer, purpose: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(purpose));
  const body = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `${VERSION}.${body.toString("base64url")}`;
}

function decrypt(sealed: string, key: Buffer, purpose: string): string | null {
  const [version, encoded = ""] = sealed.split(".", 2);
  const body = Buffer.from(encoded, "base64url");
  if (version !== VERSION || body.length < NONCE_BYTES + TAG_BYTES) return null;
  const nonce = body.subarray(0, NONCE_BYTES);
  const tag = body.subarray(-TAG_BYTES);
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(purpose)).setAuthTag(tag);
    return Buffer.concat([decipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
