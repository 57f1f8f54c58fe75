/** A part of some markup; `changed`: the fix removes it (in `before`) or adds it (in `after`). */
export interface Piece {
  text: string;
  changed: boolean;
}

/** Notes for the reader of a fix, by their keys in `locales/en/fixes.json`. */
export type FixNote =
  | "placeholder"
  | "decorative"
  | "language"
  | "sameLanguage"
  | "uniqueId"
  | "references"
  | "state"
  | "headTitle";

/** The element's markup before and after the fix. */
export interface MarkupFix {
  kind: "markup";
  before: Piece[];
  after: Piece[];
  notes: FixNote[];
}

/** A colour as `#rrggbb`, and its contrast with the other colour of the pair, from 1 to 21. */
export interface ColorSuggestion {
  color: string;
  ratio: number;
}

/** A pair of colours with too little contrast, and the nearest replacement for either. */
export interface ColorFix {
  kind: "colors";
  /** Visible colours on the page, as `#rrggbb`. */
  foreground: string;
  background: string;
  /** Contrast from 1 to 21: actual and required. */
  ratio: number;
  required: number;
  bold: boolean;
  /** Null if no colour has enough contrast with the other one. */
  newForeground: ColorSuggestion | null;
  newBackground: ColorSuggestion | null;
}

export type Fix = MarkupFix | ColorFix;

/** Complete markup as one text, for exports. */
export function textOf(pieces: Piece[]): string {
  return pieces.map(({ text }) => text).join("");
}

/** Contrast for display, rounded down: 4.499 is not 4.5. */
export function formatRatio(ratio: number, language: string): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(Math.floor(ratio * 100) / 100);
}
