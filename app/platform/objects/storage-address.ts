/** Location of objects, from `STORAGE_URL`. */
export type StorageAddress =
  | { kind: "folder"; folder: string }
  /** `prefix` ends with a slash, or is empty. */
  | { kind: "s3"; bucket: string; prefix: string; endpoint?: string; region?: string };

/** Bucket names by Amazon's rules; other servers allow dots. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^([\w.-]+\/)*$/;
const PARAMETERS = ["endpoint", "region"];

/** Null for an unusable address. */
export function readStorageAddress(address: string): StorageAddress | null {
  if (/^file:/.test(address)) {
    const folder = address.replace(/^file:(\/\/(?=\/))?/, "");
    return folder === "" ? null : { kind: "folder", folder };
  }
  return /^s3:/.test(address) && URL.canParse(address) ? readS3Address(new URL(address)) : null;
}

function readS3Address({ host, username, password, pathname, searchParams, hash }: URL): StorageAddress | null {
  const prefix = pathname.replace(/^\//, "").replace(/([^/])$/, "$1/");
  const [endpoint, region] = PARAMETERS.map((name) => searchParams.get(name) ?? undefined);
  // No user, password or key in the address: logs and lists of settings show it.
  const isPlain = username === "" && password === "" && hash === "" && [...searchParams.keys()].every((name) => PARAMETERS.includes(name));
  if (!isPlain || !BUCKET.test(host) || !PREFIX.test(prefix) || (endpoint !== undefined && !isOrigin(endpoint))) return null;
  return { kind: "s3", bucket: host, prefix, endpoint, region };
}

function isOrigin(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password, pathname, search } = new URL(address);
  return /^https?:$/.test(protocol) && username === "" && password === "" && pathname === "/" && search === "";
}
