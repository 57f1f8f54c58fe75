import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { openSite, pageWith, type Site } from "../../support/scan/site";
import { SMOKE, sized } from "./options";

/** The page on which plain axe-core takes over a minute: 3,858 links in a few blocks of text. */
export const WORST_PAGE = "archive-of-our-own";

/** One page, and the worst page. */
const SMOKE_PAGES = 2;

export interface CorpusPage {
  name: string;
  url: string;
  bytes: number;
}

export interface Corpus {
  site: Site;
  /** Pages, sorted by name. */
  pages: CorpusPage[];
  close(): Promise<void>;
}

/**
 * Serves the pages of `CORPUS_DIR` (or of `pages` inside it) from loopback. In smoke mode only two of them, or made-up ones.
 * @param wanted limits the pages to names that contain one of these
 */
export async function openCorpus(wanted: string[] = []): Promise<Corpus> {
  const { CORPUS_DIR } = process.env;
  const all = SMOKE && !CORPUS_DIR ? madeUpFiles() : filesIn(CORPUS_DIR);
  const files = [...all]
    .filter(([file]) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
    .slice(0, sized(all.size, SMOKE_PAGES))
    .map(([file, read]) => ({ file, path: `/${encodeURIComponent(file)}`, body: read() }));
  if (files.length === 0) throw new Error(`There is no such page in ${CORPUS_DIR ?? "the made-up corpus"}.`);
  const headers = { "content-type": "text/html; charset=utf-8" };
  const site = await openSite(Object.fromEntries(files.map(({ path, body }) => [path, { headers, body }])));
  return {
    site,
    pages: files.map(({ file, path, body }) => ({
      name: basename(file, ".html"),
      url: site.url(path),
      bytes: body.length,
    })),
    close: () => site.close(),
  };
}

/** Functions that read the files, by file name. */
function filesIn(folder: string | undefined): Map<string, () => Buffer> {
  if (!folder) throw new Error("CORPUS_DIR wants a folder of .html files");
  const inside = join(folder, "pages");
  const pages = existsSync(inside) ? inside : folder;
  const names = readdirSync(pages).filter((file) => file.endsWith(".html")).sort();
  return new Map(names.map((file) => [file, () => readFileSync(join(pages, file))]));
}

function madeUpFiles(): Map<string, () => Buffer> {
  const page = (links: number) => () => Buffer.from(pageWith(Array.from({ length: links }, (_, at) => `<p>Text <a href="#${at}">of link ${at}</a></p>`).join("")));
  return new Map([["a-page.html", page(5)], [`${WORST_PAGE}.html`, page(50)]]);
}
