import { setImmediate as yieldToOtherTasks } from "node:timers/promises";
import { Parser } from "htmlparser2";
import { decodeText } from "./decode";

/** Content of one sitemap file. */
export interface SitemapFile {
  /** `html` and `unknown` are not sitemaps. */
  kind: "urlset" | "index" | "text" | "html" | "unknown";
  /** Addresses as given: of pages, or of sitemaps. */
  locations: string[];
  /** The file is truncated or invalid. */
  broken: boolean;
  /** There were more locations than requested. */
  cut: boolean;
}

/** Characters of a file after which other tasks may run. */
const SLICE = 256 * 1024;
/** Far more than any sitemap needs; the parser's time grows quadratically with the depth. */
const DEEPEST = 32;

/**
 * Reads the readable part of a sitemap (https://www.sitemaps.org/protocol.html). Rejects only with the signal's reason.
 */
export async function readSitemapFile(
  body: Buffer,
  mostLocations: number,
  signal?: AbortSignal,
): Promise<SitemapFile> {
  const text = decodeText(body);
  const start = text.trimStart().slice(0, 200);
  if (start.startsWith("<")) {
    return beginsAsPage(start)
      ? { kind: "html", locations: [], broken: false, cut: false }
      : readXml(text, mostLocations, signal);
  }
  return readLines(text, mostLocations, signal);
}

async function readLines(text: string, mostLocations: number, signal?: AbortSignal): Promise<SitemapFile> {
  const file: SitemapFile = { kind: "unknown", locations: [], broken: false, cut: false };
  let rest = "";
  for (let at = 0; at < text.length && !file.cut; at += SLICE) {
    const lines = (rest + text.slice(at, at + SLICE)).split(/[\r\n]+/);
    // The last line may go on in the next slice; one without an end is no address.
    rest = at + SLICE < text.length ? (lines.pop() ?? "").slice(0, SLICE) : "";
    for (const location of lines.map((line) => line.trim()).filter((line) => /^https?:\/\/\S+$/i.test(line))) {
      if (file.locations.length < mostLocations) file.locations.push(location);
      else file.cut = true;
    }
    await yieldToOtherTasks();
    signal?.throwIfAborted();
  }
  return file.locations.length > 0 ? { ...file, kind: "text" } : file;
}

function beginsAsPage(start: string): boolean {
  let rest = start;
  while (rest.startsWith("<!--")) {
    const end = rest.indexOf("-->", 4);
    if (end < 0) return false;
    rest = rest.slice(end + 3).trimStart();
  }
  return /^<(?:!doctype\s+html|html)\b/i.test(rest);
}

async function readXml(text: string, mostLocations: number, signal?: AbortSignal): Promise<SitemapFile> {
  const file: SitemapFile = { kind: "unknown", locations: [], broken: false, cut: false };
  const open: string[] = [];
  let location: string | undefined;
  let isTooDeep = false;

  /** Name without namespace prefix. */
  const localName = (name: string) => name.slice(name.indexOf(":") + 1).toLowerCase();
  const endLocation = () => {
    const address = location?.replace(/\s+/g, "");
    location = undefined;
    if (!address) return;
    if (file.locations.length < mostLocations) file.locations.push(address);
    else file.cut = true;
  };

  let hasEnded = false;
  const parser = new Parser(
    {
      onopentagname(name) {
        const local = localName(name);
        if (location !== undefined) {
          file.broken = true;
          endLocation();
        }
        if (open.length === 0) file.kind = KINDS[local] ?? "unknown";
        // Images have a `loc` too.
        const [parent] = open.slice(-1);
        if (local === "loc" && (parent === "url" || parent === "sitemap")) location = "";
        open.push(local);
        if (open.length <= DEEPEST) return;
        isTooDeep = file.broken = true;
        parser.pause();
      },
      ontext(part) {
        if (location !== undefined) location += part;
      },
      onclosetag(name, isImplied) {
        open.pop();
        // A tag without content closes itself, which is no fault; at the end, all that is still open is closed.
        if (isImplied && (hasEnded || text[parser.endIndex - 1] !== "/")) file.broken = true;
        // A cut location may be half an address.
        if (localName(name) === "loc" && !isImplied) endLocation();
      },
    },
    { xmlMode: true },
  );
  for (let at = 0; at < text.length && !file.cut && !isTooDeep; at += SLICE) {
    parser.write(text.slice(at, at + SLICE));
    await yieldToOtherTasks();
    signal?.throwIfAborted();
  }
  hasEnded = true;
  parser.end();
  return file;
}

const KINDS: Record<string, SitemapFile["kind"]> = { urlset: "urlset", sitemapindex: "index", html: "html" };
