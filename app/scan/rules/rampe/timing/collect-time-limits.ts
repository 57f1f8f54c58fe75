import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { timeLimitsIn, type TimeLimit } from "./time-limits-in";

export interface TimeLimitsGlobals {
  /** Time limits in the scripts of the page, the shortest first. Undefined if they could not be read. */
  rampeTimeLimits?: TimeLimit[];
}

const MOST_FILES = 30;
/** Limits for one file, and for the scripts in the document. */
const MOST_CHARACTERS = 500_000;
const READ_MS = 100;

/**
 * Reads the scripts in the page's own document, and the loaded ones of its own origin, and keeps the time limits in its world.
 * It sends no further requests to a server.
 * @param signal nothing is kept once it is aborted
 */
export async function collectTimeLimits(isolatedWorld: IsolatedWorld, signal: AbortSignal): Promise<void> {
  const { session, frameId } = isolatedWorld;
  await isolatedWorld.call(keepTimeLimits, undefined);
  const sources = [await isolatedWorld.call(textOfScripts, MOST_CHARACTERS)];
  const { frameTree } = await session.send("Page.getResourceTree");
  const { securityOrigin } = frameTree.frame;
  const loaded = frameTree.resources.filter(({ url, type, contentSize = 0, failed }) => type === "Script" && !failed && contentSize <= MOST_CHARACTERS && originOf(url) === securityOrigin);
  for (const { url } of loaded.slice(0, MOST_FILES)) {
    if (signal.aborted) return;
    const file = await session.send("Page.getResourceContent", { frameId, url }).catch(() => null);
    if (file && !file.base64Encoded) sources.push(file.content.slice(0, MOST_CHARACTERS));
  }
  if (signal.aborted) return;
  const limits = limitsIn(sources);
  if (limits) await isolatedWorld.call(keepTimeLimits, limits.sort((one, other) => one.ms - other.ms));
}

/** Time limits; undefined if the scripts are too long to be read in a moment. */
function limitsIn(sources: string[]): TimeLimit[] | undefined {
  const end = performance.now() + READ_MS;
  const found: TimeLimit[] = [];
  for (const source of sources) {
    if (performance.now() > end) return undefined;
    found.push(...timeLimitsIn(source));
  }
  return found;
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/** Runs inside the page, in our isolated world. */
function textOfScripts(most: number): string {
  const isCode = ({ type, src }: HTMLScriptElement) => src === "" && /^(|module|(text|application)\/(java|ecma)script)$/i.test(type);
  return [...document.scripts].filter(isCode).map(({ text }) => text.slice(0, most)).join(";\n").slice(0, most);
}

/** Runs inside the page, in our isolated world. */
function keepTimeLimits(limits: TimeLimit[] | undefined): void {
  Object.assign(globalThis, { rampeTimeLimits: limits });
}
