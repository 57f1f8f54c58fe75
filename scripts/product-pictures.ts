import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import puppeteer, { type Browser } from "puppeteer";
import { processEnv } from "~/platform/env.server";
import { COLOR_SCHEME_COOKIE } from "~/platform/http/color-scheme";
import { LOCALES, type Locale } from "~/platform/i18n/i18n";
import { LOCALE_COOKIE } from "~/platform/i18n/i18n.server";
import { findBrowser } from "~/scan/browser/find-browser.mjs";
import { PRODUCT_PICTURES, pictureFile, type ProductPicture } from "~/site/home/product-pictures";

const QUALITY = 40;
/** Pixel density: sharp on most screens, with half the file size of density 2. */
const DENSITY = 1.5;
/** Space above the heading, in CSS pixels. */
const ABOVE = 16;
const PUBLIC = fileURLToPath(new URL("../public", import.meta.url));
const SCHEMES = ["light", "dark"] as const;

/** Pictures of the sample report for the home page. Run it beside a server with: npx tsx scripts/product-pictures.ts ORIGIN */
async function main([origin = "http://localhost:3000"]: string[]): Promise<void> {
  const found = findBrowser(processEnv());
  if (!found) throw new Error("There is no browser; node scripts/setup.mjs finds or installs one.");
  mkdirSync(`${PUBLIC}/pictures`, { recursive: true });
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await puppeteer.launch({ executablePath: found.path, headless: "shell", args });
  try {
    for (const picture of PRODUCT_PICTURES) for (const locale of LOCALES) for (const scheme of SCHEMES) await take(browser, origin, picture, locale, scheme);
  } finally {
    await browser.close();
  }
}

/** Takes a picture of the page, from its heading down. */
async function take(browser: Browser, origin: string, picture: ProductPicture, locale: Locale, scheme: (typeof SCHEMES)[number]): Promise<void> {
  const { width, height } = picture;
  const page = await browser.newPage();
  await page.setViewport({ width, height, deviceScaleFactor: DENSITY });
  const of = { domain: new URL(origin).hostname, path: "/" };
  await browser.setCookie({ name: LOCALE_COOKIE, value: locale, ...of }, { name: COLOR_SCHEME_COOKIE, value: scheme, ...of });
  await page.goto(new URL(picture.path, origin).href, { waitUntil: "networkidle0" });
  const y = await page.$eval("h1", (heading) => heading.getBoundingClientRect().top + scrollY);
  const image = await page.screenshot({ type: "webp", quality: QUALITY, captureBeyondViewport: true, clip: { x: 0, y: Math.round(y) - ABOVE, width, height } });
  writeFileSync(`${PUBLIC}${pictureFile(picture, locale, scheme)}`, image);
  await page.close();
}

await main(process.argv.slice(2));
