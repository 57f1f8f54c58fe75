import { z } from "zod";
import { OutOfTime, withinSignal } from "~/platform/async/deadline";
import { isEncrypted } from "~/platform/http/encrypted-address";

/** A published version. */
export interface Release {
  /** Version such as `1.2.3`, without build metadata. */
  version: string;
  /** Address of the release's page. */
  url: string;
}

/** No usable answer; the message has the reason. */
class ReleaseProblem extends Error {
  override name = "ReleaseProblem";
}

const WITHIN_MS = 5_000;
/** Maximum size of the answer. GitHub's contains the release notes, up to 125,000 characters, and facts about each file. */
const MOST_BYTES = 500_000;
const MOST_CHARACTERS = 2_000;
const WANTED = 'it wants GitHub\'s answer about the latest release, or {"version": "1.2.3", "url": "https://…"}';

const version = z
  .string()
  .max(100)
  .regex(/^v?\d{1,9}\.\d{1,9}\.\d{1,9}(-[\w.-]+)?(\+[\w.-]+)?$/)
  .transform((text) => text.replace(/^v|\+.*$/g, ""));
const url = z
  .url({ protocol: /^https?$/ })
  .max(MOST_CHARACTERS)
  .pipe(z.string().refine(isEncrypted));
const release = z.union([z.object({ tag_name: version, html_url: url }).transform((answer) => ({ version: answer.tag_name, url: answer.html_url })), z.object({ version, url })]);

/**
 * Asks for the newest version; sends nothing about the installation.
 * @param address of a JSON document
 * @param signal cancels the request
 * @throws {ReleaseProblem}
 */
export async function askForRelease(address: string, { signal, withinMs = WITHIN_MS }: { signal?: AbortSignal; withinMs?: number } = {}): Promise<Release> {
  const text = await withinSignal(withinMs, (over) => read(address, signal ? AbortSignal.any([over, signal]) : over)).catch((error: unknown) => {
    if (error instanceof ReleaseProblem) throw error;
    if (error instanceof OutOfTime) throw new ReleaseProblem(`it does not answer within ${withinMs / 1_000} s`);
    const { cause = error } = error as { cause?: unknown };
    throw new ReleaseProblem(`it does not answer (${cause instanceof Error ? cause.message : String(cause)})`);
  });
  const parsed = release.safeParse(jsonOf(text));
  if (!parsed.success) throw new ReleaseProblem(`it names no version: ${WANTED}`);
  return parsed.data;
}

/** Comparison by semantic versioning. A pre-release is never newer, and older than its release. */
export function isNewer(other: string, own: string): boolean {
  if (isPreRelease(other)) return false;
  const [others, owns] = [numbersOf(other), numbersOf(own)];
  const place = others.findIndex((number, index) => number !== owns[index]);
  return place === -1 ? isPreRelease(own) : (others[place] ?? 0) > (owns[place] ?? 0);
}

const isPreRelease = (text: string) => /^[\d.]+-/.test(text);
const numbersOf = (text: string) => (text.match(/^[\d.]+/)?.[0] ?? "").split(".").map(Number);

async function read(address: string, signal: AbortSignal): Promise<string> {
  const headers = { "User-Agent": "Rampe", Accept: "application/json" };
  // A redirect could lead to an address that is not encrypted.
  const response = await fetch(address, { headers, signal, redirect: "manual", credentials: "omit" });
  const { status } = response;
  const location = response.headers.get("location");
  if (status >= 300 && status < 400 && location !== null) throw new ReleaseProblem(`it redirects to ${location.slice(0, MOST_CHARACTERS)}, which is not followed`);
  if (!response.ok) throw new ReleaseProblem(`it answers with ${status}`);
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > MOST_BYTES) throw new ReleaseProblem(`its answer has more than ${MOST_BYTES / 1_000} kB`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
