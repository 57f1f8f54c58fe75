import type { ColorScheme } from "~/platform/http/color-scheme";
import type { Locale } from "~/platform/i18n/i18n";
import { pictureFile, type ProductPicture } from "./product-pictures";

interface ProductPictureProps {
  picture: ProductPicture;
  locale: Locale;
  /** The visitor's choice; with `auto`, the browser picks by the system's scheme. */
  scheme: ColorScheme;
  alt: string;
  caption: string;
}

/** A real picture of the product, in the visitor's language and colours. */
export function ProductPictureFigure({ picture, locale, scheme, alt, caption }: ProductPictureProps) {
  return (
    <figure className="product-picture">
      <picture>
        {scheme === "auto" && <source media="(prefers-color-scheme: dark)" srcSet={pictureFile(picture, locale, "dark")} />}
        <img src={pictureFile(picture, locale, scheme === "dark" ? "dark" : "light")} width={picture.width} height={picture.height} loading="lazy" decoding="async" alt={alt} />
      </picture>
      <figcaption>{caption}</figcaption>
    </figure>
  );
}
