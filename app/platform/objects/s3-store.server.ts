import { isObjectKey, requireObjectKey, type ObjectKey, type ObjectStore, type StoredObject } from "./object-store";
import type { StorageAddress } from "./storage-address";

const CONNECT_WITHIN_MS = 5_000;
/** Time limit of one call, with its retries. */
const WITHIN_MS = 30_000;
/** Maximum objects per delete request. */
const MOST_KEYS = 1_000;
/** Signatures need a region; servers other than Amazon's accept any. */
const ANY_REGION = "us-east-1";

/**
 * Objects in a bucket of Amazon S3, or of another server with its protocol. User and key come from the environment, as documented for
 * Amazon's client (`AWS_ACCESS_KEY_ID`, a profile, the role of a machine).
 * @param environment environment of this process
 */
export async function openS3Store({ bucket, prefix, endpoint, region }: Extract<StorageAddress, { kind: "s3" }>, environment: NodeJS.ProcessEnv): Promise<ObjectStore> {
  // No warning of the client about Node versions: operators do not choose the client.
  environment["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";
  // Lazy import: most installations do not use S3.
  const { S3Client, DeleteObjectsCommand, GetObjectCommand, ListObjectsV2Command, PutObjectCommand } = await import("@aws-sdk/client-s3");
  const client = new S3Client({
    region: region ?? (endpoint === undefined ? undefined : (environment["AWS_REGION"] ?? ANY_REGION)),
    // Bucket in the path: a host name per bucket needs DNS entries, which other servers rarely have.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    // Checksums only if required: not all servers support them.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: CONNECT_WITHIN_MS, requestTimeout: WITHIN_MS, throwOnRequestTimeout: true },
  });
  const limits = () => ({ abortSignal: AbortSignal.timeout(WITHIN_MS) });
  const placeOf = (key: ObjectKey) => {
    requireObjectKey(key);
    return { Bucket: bucket, Key: prefix + key };
  };
  return { place: `the bucket ${bucket}${endpoint === undefined ? "" : ` at ${endpoint}`}`, nameOf: (key) => prefix + key, put, get, delete: remove, list };

  async function put(key: ObjectKey, bytes: Uint8Array): Promise<void> {
    await client.send(new PutObjectCommand({ ...placeOf(key), Body: bytes, ContentLength: bytes.length }), limits());
  }

  async function get(key: ObjectKey): Promise<Uint8Array<ArrayBuffer> | null> {
    try {
      const { Body: body } = await client.send(new GetObjectCommand(placeOf(key)), limits());
      return body ? new Uint8Array(await body.transformToByteArray()) : null;
    } catch (error) {
      if ((error as Error).name === "NoSuchKey") return null;
      throw error;
    }
  }

  async function remove(keys: ObjectKey[]): Promise<void> {
    for (let start = 0; start < keys.length; start += MOST_KEYS) {
      const objects = keys.slice(start, start + MOST_KEYS).map((key) => ({ Key: placeOf(key).Key }));
      const { Errors: [first] = [] } = await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: objects, Quiet: true } }), limits());
      if (first) throw new Error(`an object could not be deleted: ${first.Message ?? first.Code}`);
    }
  }

  async function* list(group?: string): AsyncGenerator<StoredObject> {
    const wanted = { Bucket: bucket, Prefix: group === undefined ? prefix : `${prefix}${group}/` };
    let next: string | undefined;
    do {
      // Separate time limit for each page.
      const { Contents: objects = [], NextContinuationToken: token } = await client.send(new ListObjectsV2Command({ ...wanted, ContinuationToken: next }), limits());
      for (const { Key: name = "", LastModified: modified } of objects) {
        const key = name.slice(prefix.length);
        if (isObjectKey(key) && modified) yield { key, storedAt: modified.getTime() };
      }
      next = token;
    } while (next !== undefined);
  }
}
