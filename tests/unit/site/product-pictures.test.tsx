import { readFileSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { COLOR_SCHEMES, type ColorScheme } from "~/platform/http/color-scheme";
import { LOCALES } from "~/platform/i18n/i18n";
import { ProductPictureFigure } from "~/site/home/product-picture";
import { PRODUCT_PICTURES, pictureFile } from "~/site/home/product-pictures";

/** Maximum size of both pictures together, as loaded by a visitor. */
const MOST_BYTES = 115_000;

const read = (path: string) => readFileSync(new URL(`../../../public${path}`, import.meta.url));

/** Size of a WebP file in the extended format, as written by Chromium. */
const sizeOf = (file: Buffer) => ({ width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 });

describe("the pictures of the product on the home page", () => {
  it.each(LOCALES.flatMap((locale) => (["light", "dark"] as const).map((scheme) => [locale, scheme] as const)))("are there, small, and of the size that the page says (%s, %s)", (locale, scheme) => {
    const files = PRODUCT_PICTURES.map((picture) => ({ picture, file: read(pictureFile(picture, locale, scheme)) }));
    for (const { picture, file } of files) {
      const { width, height } = sizeOf(file);
      expect(width / height, picture.name).toBeCloseTo(picture.width / picture.height, 2);
    }
    expect(files.reduce((sum, { file }) => sum + file.length, 0)).toBeLessThan(MOST_BYTES);
  });

  it("follow the chosen colours, and the system's where none are chosen", () => {
    const shown = (scheme: ColorScheme) =>
      [...renderToStaticMarkup(<ProductPictureFigure picture={PRODUCT_PICTURES[0]} locale="en" scheme={scheme} alt="A report" caption="Overview" />).matchAll(/src(?:set)?="([^"]+)"/gi)].map(([, file]) => file);
    const [light, dark] = ["/pictures/overview-en-light.webp", "/pictures/overview-en-dark.webp"];
    expect(Object.fromEntries(COLOR_SCHEMES.map((scheme) => [scheme, shown(scheme)]))).toEqual({ light: [light], dark: [dark], auto: [dark, light] });
  });
});
