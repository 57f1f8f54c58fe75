import { renderToStaticMarkup } from "react-dom/server";
import { NumberedPicture, type NumberedPictureProps } from "./numbered-picture";

interface NumberedAnswer extends Omit<NumberedPictureProps, "image"> {
  /** WebP. */
  image: Uint8Array;
  headers: HeadersInit;
  /** Whether everybody may read it. */
  isSample: boolean;
}

/** Numbered picture in full size: an SVG document that contains the picture. */
export function numberedAnswer({ image, headers, isSample, ...picture }: NumberedAnswer): Response {
  const markup = renderToStaticMarkup(<NumberedPicture {...picture} image={Buffer.from(image).toString("base64")} />);
  return new Response(markup, {
    // Its title is in the reader's language, so it must not be cached.
    headers: { "Content-Type": "image/svg+xml; charset=utf-8", "Cache-Control": isSample ? "no-cache" : "private, no-store", ...headers },
  });
}
