import type { ServerResponse } from "node:http";
import { openSite, type Page, type Site } from "../../support/scan/site";

export interface GeneratedSite {
  site: Site;
  /** All pages; the first one is the home page. */
  urls: string[];
  /** Requests for pages so far, with the time of each (Unix time in ms). */
  visits: { url: string; at: number }[];
  close(): Promise<void>;
}

const SECTIONS = [
  ...["news", "products", "events", "people", "projects", "guides", "recipes", "courses", "jobs", "places"],
  ...["reports", "questions", "offers", "branches", "partners", "books", "films", "galleries", "tables", "forms"],
];

/**
 * Serves a generated site from loopback: one template per section, each with its own mix of parts and its own faults.
 * Deterministic: every page is the same each time.
 */
export async function openGeneratedSite(pages: number): Promise<GeneratedSite> {
  const visits: GeneratedSite["visits"] = [];
  const paths = Array.from({ length: pages }, (_, index) => pathOf(index));
  const documents = paths.map((path, index): [string, Page] => [path, page(path, documentOf(index, paths))]);
  const site = await openSite({
    ...Object.fromEntries(documents),
    "/style.css": (_request, response) => answer(response, "text/css", STYLE),
    "/picture.svg": (_request, response) => answer(response, "image/svg+xml", PICTURE),
  });

  function page(path: string, html: string): Page {
    return (_request, response) => {
      visits.push({ url: site.url(path), at: Date.now() });
      answer(response, "text/html; charset=utf-8", html);
    };
  }

  return { site, visits, urls: paths.map((path) => site.url(path)), close: () => site.close() };
}

function answer(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { "content-type": type }).end(body);
}

const sectionOf = (index: number) => SECTIONS[index % SECTIONS.length] ?? "";

function pathOf(index: number): string {
  return index === 0 ? "/" : `/${sectionOf(index)}/${words(index, 3).replaceAll(" ", "-")}-${index}`;
}

const STYLE = `
body { font: 1rem/1.5 sans-serif; margin: 0 auto; max-width: 70rem; color: #222 }
nav ul, .cards { display: flex; flex-wrap: wrap; gap: 1rem; list-style: none; padding: 0 }
.card { flex: 1 0 14rem; border: 1px solid #ccc; padding: 1rem } .card img { width: 100% }
.faint { color: #aaa } table { border-collapse: collapse } td, th { padding: .25rem .5rem; border: 1px solid #ddd }`;

const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 5"><path fill="#479" d="M0 0h8v5H0z"/></svg>`;

const WORDS = (
  "harbour window ramp garden bridge letter market river station paper summer copper candle forest valley morning " +
  "people school winter kitchen theatre island evening library village orchard engine weather mountain corner"
).split(" ");

/** Text of random words: the same numbers give the same words. */
function words(seed: number, count: number): string {
  return Array.from({ length: count }, (_, at) => WORDS[(seed * 7 + at * 13 + ((seed >> 3) ^ at)) % WORDS.length]).join(" ");
}

const times = (count: number, make: (at: number) => string) => Array.from({ length: count }, (_, at) => make(at)).join("");

/** Parts of pages; every template uses some of them, in its own sizes. */
const PARTS: ((seed: number, size: number) => string)[] = [
  (seed, size) =>
    `<section><h2>${words(seed, 3)}</h2>${times(size, (at) => `<p>${words(seed + at, 45)} <a href="#p${at}">${words(seed + at, 2)}</a> ${words(at, 30)}</p>`)}</section>`,
  (seed, size) =>
    `<section><h2>${words(seed, 2)}</h2><ul class="cards">${times(size * 2, (at) => `<li class="card"><img src="/picture.svg"${at % 7 ? ` alt="${words(at, 2)}"` : ""}><h3>${words(seed + at, 3)}</h3><p>${words(at, 20)}</p><a href="#c${at}">${at % 5 ? words(at, 2) : ""}</a></li>`)}</ul></section>`,
  (seed, size) =>
    `<section><h2>${words(seed, 2)}</h2><table><caption>${words(seed, 4)}</caption><thead><tr>${times(6, (at) => `<th scope="col">${words(at, 1)}</th>`)}</tr></thead><tbody>${times(size * 4, (row) => `<tr>${times(6, (at) => `<td>${(seed * row * at) % 977}</td>`)}</tr>`)}</tbody></table></section>`,
  (seed, size) =>
    `<form><h2>${words(seed, 2)}</h2>${times(size * 2, (at) => `<p>${at % 6 ? `<label for="f${seed}-${at}">${words(at, 2)}</label>` : ""}<input id="f${seed}-${at}" name="f${at}" type="${at % 3 ? "text" : "checkbox"}"></p>`)}<select aria-label="${words(seed, 1)}">${times(12, (at) => `<option>${words(at, 1)}</option>`)}</select><button>${words(seed, 1)}</button></form>`,
  (seed, size) =>
    `<section><h2>${words(seed, 2)}</h2>${times(size * 2, (at) => `<details><summary>${words(seed + at, 6)}</summary><p>${words(at, 50)}</p></details>`)}</section>`,
  (seed, size) =>
    `<section><h2>${words(seed, 2)}</h2><dl>${times(size * 4, (at) => `<dt>${words(seed + at, 2)}</dt><dd>${words(at, 12)}</dd>`)}</dl></section>`,
  (seed, size) =>
    `<section role="tablist" aria-label="${words(seed, 2)}">${times(size, (at) => `<button role="tab" aria-selected="${at === 0}">${words(seed + at, 1)}</button>`)}</section><p class="faint">${words(seed, 30)}</p>`,
  (seed, size) =>
    `<section><h2>${words(seed, 2)}</h2><ol>${times(size * 3, (at) => `<li>${words(seed + at, 18)}<ul><li>${words(at, 5)}</li><li>${words(at + 1, 5)}</li></ul></li>`)}</ol></section>`,
];

function documentOf(index: number, paths: string[]): string {
  const template = index % SECTIONS.length;
  const title = `${words(index, 4)} ${index}`;
  const link = (path: string, text: string) => `<li><a href="${path}">${text}</a></li>`;
  const siblings = paths.filter((_, other) => other !== 0 && other % SECTIONS.length === template);
  const parts = times(5, (at) => PARTS[(template * 3 + at * 5 + (template >> 2)) % PARTS.length]?.(index + at, 4 + ((template + at) % 7)) ?? "");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/style.css"></head><body>
<header><nav aria-label="Main"><ul>${link("/", "Start")}${SECTIONS.map((name, at) => link(paths[at === 0 ? SECTIONS.length : at] ?? "/", name)).join("")}</ul></nav></header>
<main><h1>${title}</h1>${parts}
<nav aria-label="More of ${sectionOf(index)}"><ul>${siblings.map((path) => link(path, path.split("/").at(-1) ?? "")).join("")}</ul></nav></main>
<footer><p>${words(index, 20)}</p></footer></body></html>`;
}
