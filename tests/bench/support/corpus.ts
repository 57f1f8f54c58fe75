import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { openSite, type Site } from "../../support/scan/site";

/** The page on which plain axe-core takes over a minute: 3,858 links in a few blocks of text. */
export const WORST_PAGE = "archive-of-our-own";

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
 * Serves the pages of `CORPUS_DIR` (or of `pages` inside it) from loopback.
 * @param wanted limits the pages to names that contain one of these
 */
export async function openCorpus(wanted: string[] = []): Promise<Corpus> {
  const folder = corpusFolder();
  const files = readdirSync(folder)
    .filter((file) => file.endsWith(".html") && (wanted.length === 0 || wanted.some((part) => file.includes(part))))
    .sort()
    .map((file) => ({ file, path: `/${encodeURIComponent(file)}`, body: readFileSync(join(folder, file)) }));
  if (files.length === 0) throw new Error(`There is no such page in ${folder}.`);
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

function corpusFolder(): string {
  const folder = process.env.CORPUS_DIR;
  if (!folder) throw new Error("CORPUS_DIR wants a folder of .html files");
  const inside = join(folder, "pages");
  return existsSync(inside) ? inside : folder;
}
