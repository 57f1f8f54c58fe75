import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface S3Double {
  /** Value for `STORAGE_URL`. */
  readonly url: string;
  /** Environment variables of Amazon's client. */
  readonly env: { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string };
  /** Stored objects by key. */
  readonly objects: Map<string, { bytes: Buffer; at: Date }>;
  /** Method and path of each request so far. */
  readonly requests: string[];
  /** Error code of every answer; `hang`: no answer; null: no error. */
  fails: "SlowDown" | "AccessDenied" | "NoSuchBucket" | "hang" | null;
  close(): Promise<void>;
}

const BUCKET = "pictures";
const USER = "AKIDEXAMPLE";
const SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
/** Page size of lists, smaller than Amazon's thousand, so that tests need several pages. */
const MOST_LISTED = 3;
const STATUS: Record<string, number> = { NoSuchKey: 404, NoSuchBucket: 404, AccessDenied: 403, SignatureDoesNotMatch: 403, SlowDown: 503, MalformedXML: 400, NotImplemented: 501 };

/**
 * Part of Amazon S3 that stores objects (https://docs.aws.amazon.com/AmazonS3/latest/API): PutObject, GetObject, DeleteObjects and
 * ListObjectsV2 for one bucket, with signatures of version 4. Addresses contain the bucket in their path.
 */
export async function startS3(): Promise<S3Double> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const double: S3Double = {
    url: `s3://${BUCKET}/rampe?endpoint=http://127.0.0.1:${(server.address() as AddressInfo).port}&region=eu-central-1`,
    env: { AWS_ACCESS_KEY_ID: USER, AWS_SECRET_ACCESS_KEY: SECRET },
    objects: new Map(),
    requests: [],
    fails: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return double;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "" } = request;
    const body = await buffer(request);
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const [, bucket = "", ...rest] = decodeURIComponent(pathname).split("/");
    const key = rest.join("/");
    double.requests.push(`${method} ${url}`);
    if (double.fails === "hang") return;
    if (double.fails) return refuse(response, double.fails);
    if (!isSigned(request, body)) return refuse(response, "SignatureDoesNotMatch");
    if (bucket !== BUCKET) return refuse(response, "NoSuchBucket");
    if (method === "PUT" && key) return put(response, key, body);
    if (method === "GET" && key) return get(response, key);
    if (method === "GET" && searchParams.get("list-type") === "2") return list(response, searchParams);
    if (method === "POST" && searchParams.has("delete")) return remove(response, body.toString());
    refuse(response, "NotImplemented");
  }

  function put(response: ServerResponse, key: string, bytes: Buffer): void {
    double.objects.set(key, { bytes, at: new Date() });
    response.setHeader("ETag", `"${md5(bytes)}"`).end();
  }

  function get(response: ServerResponse, key: string): void {
    const found = double.objects.get(key);
    if (!found) return refuse(response, "NoSuchKey");
    response.setHeader("Last-Modified", found.at.toUTCString()).setHeader("ETag", `"${md5(found.bytes)}"`).end(found.bytes);
  }

  function list(response: ServerResponse, search: URLSearchParams): void {
    const prefix = search.get("prefix") ?? "";
    const after = search.get("continuation-token") ?? "";
    const keys = [...double.objects.keys()].sort().filter((key) => key.startsWith(prefix) && key > after);
    const shown = keys.slice(0, MOST_LISTED);
    const more = keys.length > shown.length;
    const contents = shown.map((key) => {
      const { bytes, at } = double.objects.get(key) ?? { bytes: Buffer.alloc(0), at: new Date(0) };
      return `<Contents><Key>${escaped(key)}</Key><LastModified>${at.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`;
    });
    const next = more ? `<NextContinuationToken>${escaped(shown.at(-1) ?? "")}</NextContinuationToken>` : "";
    xml(response, 200, `<ListBucketResult><Name>${BUCKET}</Name><Prefix>${escaped(prefix)}</Prefix><KeyCount>${shown.length}</KeyCount><IsTruncated>${more}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`);
  }

  function remove(response: ServerResponse, body: string): void {
    const keys = [...body.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = ""]) => key.replaceAll("&amp;", "&"));
    if (keys.length === 0 || keys.length > 1_000) return refuse(response, "MalformedXML");
    for (const key of keys) double.objects.delete(key);
    xml(response, 200, "<DeleteResult/>");
  }
}

function refuse(response: ServerResponse, code: string): void {
  xml(response, STATUS[code] ?? 500, `<Error><Code>${code}</Code><Message>${code} was refused</Message><RequestId>1</RequestId></Error>`);
}

function xml(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "Content-Type": "application/xml" }).end(`<?xml version="1.0" encoding="UTF-8"?>${text}`);
}

/** Signature version 4 (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html). */
function isSigned({ method = "", url = "", headers }: IncomingMessage, body: Buffer): boolean {
  const parts = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([\w-]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/.exec(headers.authorization ?? "");
  if (!parts) return false;
  const [, user, day = "", region = "", names = "", signature] = parts;
  const given = String(headers["x-amz-content-sha256"]);
  if (user !== USER || (given !== "UNSIGNED-PAYLOAD" && given !== sha256(body))) return false;
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const query = [...searchParams].map((pair) => pair.map(encoded).join("=")).sort().join("&");
  const signed = names.split(";").map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const asked = [method, pathname, query, signed.join(""), names, given].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [day, region, "s3", "aws4_request"].reduce<string | Buffer>((secret, part) => hmac(secret, part).digest(), `AWS4${SECRET}`);
  return hmac(key, ["AWS4-HMAC-SHA256", String(headers["x-amz-date"]), scope, sha256(asked)].join("\n")).digest("hex") === signature;
}

const encoded = (part: string) => encodeURIComponent(part).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const hmac = (key: string | Buffer, part: string) => createHmac("sha256", key).update(part);
const sha256 = (of: string | Buffer) => createHash("sha256").update(of).digest("hex");
const md5 = (of: Buffer) => createHash("md5").update(of).digest("hex");
const escaped = (part: string) => part.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
