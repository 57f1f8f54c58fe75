import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { BackupProblem } from "./backup-problem";

const MAGIC = Buffer.from("RAMPE BACKUP 01\n");
const SALT_BYTES = 16;
export const HEAD_BYTES = MAGIC.length + SALT_BYTES;
/** Size of a piece. An archive is a sequence of encrypted pieces; each is verified before use. */
const PIECE_BYTES = 65_536;
const TAG_BYTES = 16;
const LEAST_KEY_LENGTH = 20;
/** Slow key derivation: a key may be a sentence that people chose. */
const SCRYPT = { N: 32_768, r: 8, p: 1, maxmem: 67_108_864 };

/**
 * The content of a key file.
 * @throws {BackupProblem}
 */
export function readKey(file: string): string {
  let key: string;
  try {
    key = readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new BackupProblem(`BACKUP_KEY_FILE is unusable: it wants a file with a key (${(error as Error).message}).`);
  }
  if (key.length >= LEAST_KEY_LENGTH) return key;
  throw new BackupProblem(`BACKUP_KEY_FILE is unusable: ${file} wants at least ${LEAST_KEY_LENGTH} characters, such as those of "openssl rand -base64 32".`);
}

const GZIP = Buffer.from([0x1f, 0x8b]);

/** Whether a file may be an archive. @param head its first bytes */
export const isArchive = (head: Buffer): boolean => isEncrypted(head) || head.subarray(0, GZIP.length).equals(GZIP);

/** @param head the first bytes of a file */
export const isEncrypted = (head: Buffer): boolean => head.subarray(0, MAGIC.length).equals(MAGIC);

/** Encrypts with AES-256-GCM in pieces, with a separate key for each archive. */
export function encryption(secret: string) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const head = Buffer.concat([MAGIC, randomBytes(SALT_BYTES)]);
    const key = await keyOf(secret, head);
    yield head;
    for await (const { bytes, index, isLast } of pieces(source, PIECE_BYTES)) {
      const cipher = createCipheriv("aes-256-gcm", key, nonceOf(index, isLast)).setAAD(head);
      yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    }
  };
}

/** @throws {BackupProblem} for a wrong key, and for a changed or truncated file */
export function decryption(secret: string) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const { head, rest } = await splitHead(source);
    const key = await keyOf(secret, head);
    for await (const { bytes, index, isLast } of pieces(rest, PIECE_BYTES + TAG_BYTES)) {
      if (bytes.length < TAG_BYTES) throw damaged(index);
      const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(index, isLast)).setAAD(head).setAuthTag(bytes.subarray(-TAG_BYTES));
      const plain = decipher.update(bytes.subarray(0, -TAG_BYTES));
      try {
        decipher.final();
      } catch {
        throw damaged(index);
      }
      yield plain;
    }
  };
}

const keyOf = (secret: string, head: Buffer) =>
  (promisify(scrypt) as (password: string, salt: Buffer, length: number, options: object) => Promise<Buffer>)(secret, head.subarray(MAGIC.length), 32, SCRYPT);

/** The index is enough, as each archive has its own key; the last piece has a mark, so that a truncated archive is noticed. */
function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

function damaged(index: number): BackupProblem {
  return index === 0
    ? new BackupProblem("The key of BACKUP_KEY_FILE does not fit this archive, or the archive is damaged: use the key it was made with.")
    : new BackupProblem("The archive is damaged: it was changed or cut off. Use another one.");
}

interface Piece {
  bytes: Buffer;
  index: number;
  isLast: boolean;
}

/** Cuts a stream into pieces of equal size; the last one may be smaller. There is at least one. */
async function* pieces(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<Piece> {
  let index = 0;
  let waiting = Buffer.alloc(0);
  for await (const chunk of source) {
    waiting = Buffer.concat([waiting, chunk]);
    for (; waiting.length > size; index += 1) {
      yield { bytes: waiting.subarray(0, size), index, isLast: false };
      waiting = waiting.subarray(size);
    }
  }
  yield { bytes: waiting, index, isLast: true };
}

async function splitHead(source: AsyncIterable<Buffer>): Promise<{ head: Buffer; rest: AsyncIterable<Buffer> }> {
  const chunks = source[Symbol.asyncIterator]();
  let read = Buffer.alloc(0);
  while (read.length < HEAD_BYTES) {
    const { value, done } = (await chunks.next()) as IteratorResult<Buffer, undefined>;
    if (done) throw damaged(1);
    read = Buffer.concat([read, value]);
  }
  async function* rest(): AsyncGenerator<Buffer> {
    yield read.subarray(HEAD_BYTES);
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  return { head: read.subarray(0, HEAD_BYTES), rest: rest() };
}
