import { randomBytes, scrypt as scryptByCallback, timingSafeEqual, type ScryptOptions } from "node:crypto";
import { promisify } from "node:util";
import { createPasswordQueue, queueEntryOfOperator } from "./password-queue.server";
import type { Passwords, QueueEntry } from "./passwords";

/** Cost of scrypt, as recommended by OWASP for 32 MB: about a third of a second on one core. */
const COST = { N: 2 ** 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

const scryptInPool: Scrypt = promisify(scryptByCallback);

/** Signature of `crypto.scrypt`. */
export type Scrypt = (password: string, salt: Buffer, length: number, options: ScryptOptions) => Promise<Buffer>;

export interface PasswordsOptions {
  cost?: typeof COST;
  /** Implementation; by default Node's thread pool, at the priority of the process. */
  scrypt?: Scrypt;
  /** Maximum number of waiting tasks in a lane. */
  mostWaiting?: number;
}

/**
 * Password hashes by scrypt, one at a time, so that the server stays responsive. Without `queuedAs`, requests are queued as
 * those of the operator.
 */
export function createPasswords({ cost = COST, scrypt = scryptInPool, ...options }: PasswordsOptions = {}): Passwords {
  const queue = createPasswordQueue(options);
  /** Dummy hash, so that unknown accounts take as long as known ones. */
  const dummyHash = encode(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
  return queuedAs(queueEntryOfOperator);

  function queuedAs(entry: QueueEntry): Passwords {
    return {
      queuedAs,
      hash: (password) =>
        queue(entry, async () => {
          const salt = randomBytes(SALT_BYTES);
          return encode(cost, salt, await derive(scrypt, password, salt, cost));
        }),
      matches: (password, stored) =>
        queue(entry, async () => {
          const { salt, hash, ...ownCost } = decode(stored ?? dummyHash);
          const same = timingSafeEqual(await derive(scrypt, password, salt, ownCost), hash);
          return same && stored !== null;
        }),
    };
  }
}

function derive(scrypt: Scrypt, password: string, salt: Buffer, { N, r, p }: typeof COST): Promise<Buffer> {
  // NFKC: keyboards write an umlaut as one character or as two. `maxmem`: twice the needed memory (128 * N * r), because Node
  // counts more than that.
  return scrypt(password.normalize("NFKC"), salt, HASH_BYTES, { N, r, p, maxmem: 256 * N * r });
}

/** Encodes a hash in the PHC string format: old hashes stay readable if the cost is raised later. */
function encode({ N, r, p }: typeof COST, salt: Buffer, hash: Buffer): string {
  return `$scrypt$ln=${Math.log2(N)},r=${r},p=${p}$${salt.toString("base64")}$${hash.toString("base64")}`;
}

function decode(stored: string): typeof COST & { salt: Buffer; hash: Buffer } {
  const parts = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored);
  if (!parts) throw new Error("what is stored is no scrypt hash");
  const [, ln, r, p, salt = "", hash = ""] = parts;
  return {
    N: 2 ** Number(ln),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, "base64"),
    hash: Buffer.from(hash, "base64"),
  };
}
