import type { ColorScheme } from "~/platform/http/color-scheme";
import type { Locale } from "~/platform/i18n/i18n";

/** Pictures of the product: parts of the sample report, taken by `scripts/product-pictures.ts`. */
export const PRODUCT_PICTURES = [
  { name: "overview", path: "/sample", width: 620, height: 935 },
  { name: "place", path: "/sample/violations/image-alt/1/0", width: 620, height: 935 },
] as const;

export type ProductPicture = (typeof PRODUCT_PICTURES)[number];

export const pictureFile = ({ name }: ProductPicture, locale: Locale, scheme: Exclude<ColorScheme, "auto">): string => `/pictures/${name}-${locale}-${scheme}.webp`;
