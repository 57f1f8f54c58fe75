import { BLACK, contrastRatio, parseHex, toHex, WHITE } from "~/findings/fixes/color";

/** Text colour on a background colour: white or black, by the higher contrast, which is always above 4.5:1. */
export function textColorOn(color: string): "#ffffff" | "#000000" {
  const background = parseHex(color) ?? BLACK;
  return toHex(contrastRatio(background, WHITE) >= contrastRatio(background, BLACK) ? WHITE : BLACK) as "#ffffff" | "#000000";
}
