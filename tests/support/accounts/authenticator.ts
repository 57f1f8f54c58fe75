import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

/** Authenticator for one passkey, as in browsers (Web Authentication, sections 6.1, 6.5 and 8.7). */
export interface Authenticator {
  /** Answer to a challenge for a new passkey. */
  create(challenge: string, changes?: Changes): string;
  /** Answer to a challenge for using the passkey. */
  get(challenge: string, changes?: Changes): string;
}

interface Changes {
  /** Origin of the page. */
  origin?: string;
  /** Host name of the passkey. */
  host?: string;
  counter?: number;
}

const PERSON_PRESENT = 1;
const HAS_KEY = 64;
const ES256 = -7;

export function createAuthenticator(ofOrigin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(32);
  let uses = 0;

  const clientData = (type: string, challenge: string, origin = ofOrigin) => Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest();

  function dataOf(flags: number, { host = new URL(ofOrigin).hostname, counter = uses }: Changes, more = Buffer.alloc(0)): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(host), Buffer.from([flags]), count, more]);
  }

  function answerWith(response: Record<string, Buffer>): string {
    const texts = Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, bytes.toString("base64url")]));
    return JSON.stringify({ id: id.toString("base64url"), rawId: id.toString("base64url"), type: "public-key", response: texts });
  }

  return {
    create(challenge, changes = {}) {
      const key = new Map<number, number | Uint8Array>([[1, 2], [3, ES256], [-1, 1], [-2, bytesOf(x)], [-3, bytesOf(y)]]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(key)]);
      const authData = Uint8Array.from(dataOf(PERSON_PRESENT | HAS_KEY, changes, credential));
      const attestation = new Map<string, string | Uint8Array | Map<string, string>>([["fmt", "none"], ["attStmt", new Map()], ["authData", authData]]);
      return answerWith({ clientDataJSON: clientData("webauthn.create", challenge, changes.origin), attestationObject: Buffer.from(isoCBOR.encode(attestation)) });
    },

    get(challenge, changes = {}) {
      uses += 1;
      const clientDataJSON = clientData("webauthn.get", challenge, changes.origin);
      const authenticatorData = dataOf(PERSON_PRESENT, changes);
      const signature = createSign("sha256").update(Buffer.concat([authenticatorData, sha256(clientDataJSON)])).sign(privateKey);
      return answerWith({ clientDataJSON, authenticatorData, signature });
    },
  };
}

const bytesOf = (base64url: string) => Uint8Array.from(Buffer.from(base64url, "base64url"));
