import type { ServerResponse } from "node:http";
import { openSite, type Handler, type Page, type Site } from "./site";

interface Barrier {
  /** Id of the violated axe-core rule. */
  ruleId: string;
  /** Text that only occurs in the markup of the affected elements. */
  mark: string;
  elements: number;
}

/** Problems of `/barriers`, the most important first, as in a result. */
export const BARRIERS: readonly Barrier[] = [
  { ruleId: "image-alt", mark: "mark-picture", elements: 23 },
  { ruleId: "button-name", mark: "mark-button", elements: 2 },
  { ruleId: "label", mark: "mark-field", elements: 1 },
  { ruleId: "select-name", mark: "mark-choice", elements: 1 },
  { ruleId: "color-contrast", mark: "mark-faint", elements: 1 },
  { ruleId: "link-name", mark: "mark-link", elements: 1 },
  { ruleId: "valid-lang", mark: "mark-language", elements: 1 },
];

/** Rule on `/barriers` that needs a person's decision, and the mark of its element. */
export const DOUBT = { ruleId: "color-contrast", mark: "mark-gradient" };

const PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

const page = (lang: string, title: string, content: string) =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${title}</title></head><body><main><h1>${title}</h1>${content}</main></body></html>`;

const pictures = Array.from({ length: 23 }, (_, index) => `<img id="mark-picture-${index}" src="${PIXEL}">`).join("");

const withBarriers = page(
  "de",
  "Möbelhaus Nordlicht",
  `${pictures}
  <button class="mark-button"></button><p><button class="mark-button"></button></p>
  <p><input class="mark-field"></p>
  <p><select class="mark-choice"><option>Kiefer<option>Buche</select></p>
  <p class="mark-faint" style="color: #999; background: #fff">Lieferung frei Haus</p>
  <p><a class="mark-link" href="/clean"><span></span></a></p>
  <p><span class="mark-language" lang="xx-klingon">Willkommen</span></p>
  <p class="mark-gradient" style="background: linear-gradient(#fff, #000)">Angebote</p>`,
);

const clean = page("en", "Harbour Library", "<p>Open every day from nine to six.</p>");

/** Page whose only barrier is new in WCAG 2.2. */
const withSmallTargets = page("en", "Harbour Library", `<p>${"<button class='mark-small' style='width: 12px; height: 12px; padding: 0; border: 0' aria-label='Rate'></button>".repeat(5)}</p>`);

/** Answers after a number of seconds, given in the query. */
const slow: Handler = (request, response) => {
  const seconds = Number(new URL(request.url ?? "/", "http://site.test").searchParams.get("seconds"));
  setTimeout(() => html(response, withBarriers), seconds * 1_000);
};

const PAGES: Record<string, Page> = {
  "/": clean,
  "/barriers": withBarriers,
  "/clean": clean,
  "/small": withSmallTargets,
  "/moved": { status: 302, headers: { location: "/clean" } },
  "/slow": slow,
  "/silent": () => {},
  "/flyer.pdf": { headers: { "content-type": "application/pdf" }, body: "%PDF-1.4" },
};

function html(response: ServerResponse, body: string): void {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(body);
}

/**
 * Site that visitors check in tests: `/`, `/clean` and `/small` (English), `/barriers` (German), `/moved`, `/slow?seconds=N`,
 * `/silent` (never answers), `/flyer.pdf`, and 404 for the rest.
 */
export function openDemoSite(): Promise<Site> {
  return openSite(PAGES);
}
