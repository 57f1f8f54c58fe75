import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import puppeteer, { type Browser } from "puppeteer";
import { processEnv } from "~/platform/env.server";
import { LOCALES, type Locale } from "~/platform/i18n/i18n";
import { findBrowser } from "~/scan/browser/find-browser.mjs";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const FONT = here("../node_modules/@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2");
const MARK = '<path d="M5 25 20 12h7v13Z" fill="#fff"/><circle cx="10.5" cy="11" r="3.7" fill="#ffb866"/>';

/** Draws the bitmap images: link previews in each language, and icons. Run it with `npx tsx scripts/pictures.ts`. */
async function main(): Promise<void> {
  const found = findBrowser(processEnv());
  if (!found) throw new Error("There is no browser; node scripts/setup.mjs finds or installs one.");
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await puppeteer.launch({ executablePath: found.path, headless: "shell", args });
  try {
    for (const locale of LOCALES) await draw(browser, `og-${locale}.png`, [1200, 630], preview(locale));
    for (const size of [180, 192, 512]) await draw(browser, `icons/${size}.png`, [size, size], icon(size === 180 ? 0 : 7));
    // Maskable icon: the system may cut it to any shape, down to a circle of 80 per cent.
    await draw(browser, "icons/maskable-512.png", [512, 512], icon(0, "-6 -6 44 44"));
  } finally {
    await browser.close();
  }
}

async function draw(browser: Browser, file: string, [width, height]: [number, number], html: string): Promise<void> {
  const page = await browser.newPage();
  await page.setViewport({ width, height });
  await page.setContent(`<!doctype html><style>body { margin: 0 } svg { display: block }</style>${html}`);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  writeFileSync(here(`../public/${file}`), await page.screenshot({ omitBackground: true }));
  await page.close();
}

function icon(radius: number, viewBox = "0 0 32 32"): string {
  const [x, y, width, height] = viewBox.split(" ");
  return `<svg viewBox="${viewBox}" width="100%" height="100%">
    <rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="#0a3d42"/>${MARK}</svg>`;
}

function preview(locale: Locale): string {
  const { hero, facts } = JSON.parse(readFileSync(here(`../locales/${locale}/home.json`), "utf8")) as {
    hero: { heading: string };
    facts: { free: string; standard: string };
  };
  const font = readFileSync(FONT).toString("base64");
  return `<style>
    @font-face { font-family: Atkinson; font-weight: 200 800; src: url(data:font/woff2;base64,${font}) }
    main { box-sizing: border-box; position: relative; width: 1200px; height: 630px; padding: 72px; overflow: hidden;
      background: #0a3d42; color: #fff; font-family: Atkinson }
    .brand { display: flex; align-items: center; gap: 20px; font-size: 48px; font-weight: 800 }
    h1 { margin: 56px 0 28px; max-width: 17em; font-size: 74px; line-height: 1.1; font-weight: 800 }
    p { margin: 0; font-size: 34px; color: #d3e6e4 }
    .ramp { position: absolute; inset: auto 0 0 0; width: 1200px; height: 150px; overflow: visible }
  </style>
  <main lang="${locale}">
    <div class="brand"><svg viewBox="2 4 28 24" width="72" height="62">${MARK}</svg>Rampe</div>
    <h1>${hero.heading}</h1>
    <p>${facts.standard}</p><p>${facts.free}</p>
    <svg class="ramp" viewBox="0 0 1200 150"><path d="M0 150 1200 10v140Z" fill="#fbfaf6"/><circle cx="985" cy="-2" r="36" fill="#ffb866"/></svg>
  </main>`;
}

await main();
