import bold from "@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-700-normal.woff2?inline";
import boldExtended from "@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-ext-700-normal.woff2?inline";
import regular from "@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-400-normal.woff2?inline";
import regularExtended from "@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-ext-400-normal.woff2?inline";
import { textColorOn } from "~/reports/cover-color";
import type { ReportCover } from "~/reports/report-cover.server";
import type { Words } from "./words.server";

/** Style sheet of a printed report, in the colours of the light scheme. */
export function styleSheet({ texts, fill }: Words, cover: Pick<ReportCover, "name" | "color"> | null): string {
  const { footer } = texts;
  const name = cover ? fill(footer.named, { name: cover.name }) : footer.name;
  return `${fontFaces()}
@page {
  size: A4;
  margin: 20mm 18mm 22mm;
  @bottom-left { content: ${quoted(name)}; font: 8.5pt Atkinson, sans-serif; color: #3f4d49; }
  @bottom-right {
    content: ${quoted(footer.page)} counter(page) ${quoted(footer.of)} counter(pages);
    font: 8.5pt Atkinson, sans-serif;
    color: #3f4d49;
  }
}
@page cover {
  margin: 0;
  @bottom-left { content: none; }
  @bottom-right { content: none; }
}
${RULES}${cover ? ownColors(cover.color) : ""}`;
}

/** @param color "#rrggbb" */
const ownColors = (color: string) => `.stage { background: ${color}; }
.stage, .kind { color: ${textColorOn(color)}; }
.cover .note { border-color: ${color}; }
`;

const LATIN = "U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC, U+2122, U+2212";
const EXTENDED = "U+0100-0130, U+0132-0151, U+0154-02BA, U+1E00-1E9F, U+1EF2-1EFF, U+20A0-20AB, U+20AD-20C0";

/**
 * Font of the pages, one file per weight: Chromium's PDF writer (Skia) draws a variable font glyph by
 * glyph (Type 3) instead of embedding it.
 */
const fontFaces = () =>
  [
    [400, regular, LATIN],
    [400, regularExtended, EXTENDED],
    [700, bold, LATIN],
    [700, boldExtended, EXTENDED],
  ]
    .map(
      ([weight, address, range]) => `@font-face {
  font-family: Atkinson;
  font-weight: ${weight};
  src: url("${address}") format("woff2");
  unicode-range: ${range};
}`,
    )
    .join("\n");

/** CSS string for a style element: its text cannot close the element. */
const quoted = (text: string) => `"${text.replace(/["\\\n<]/g, (character) => `\\${character.charCodeAt(0).toString(16)} `)}"`;

const RULES = `
*, ::before, ::after { box-sizing: border-box; }
/* Some readers do not take ligatures apart; without pre-wrap, the words on both sides of a line break would have no space between them. */
html { white-space: pre-wrap; font: 10pt/1.45 Atkinson, "Helvetica Neue", Arial, sans-serif; font-variant-ligatures: no-common-ligatures; color: #14211f; }
body { margin: 0; overflow-wrap: break-word; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
p, ul, ol, dl, table { margin: 0 0 8pt; }
ul, ol { padding-left: 16pt; }
h1, h2, h3, h4 { line-height: 1.2; margin: 0 0 6pt; break-after: avoid; }
h2 { font-size: 19pt; color: #0a4a4f; border-bottom: 2pt solid #ffb866; padding-bottom: 4pt; margin-bottom: 10pt; }
h3 { font-size: 13pt; margin-top: 14pt; }
h4 { font-size: 10.5pt; margin-top: 8pt; }
bdi, code, .address { overflow-wrap: anywhere; }
a { color: #0a4a4f; text-underline-offset: 0.15em; }
code { font: 8.5pt/1.4 "DejaVu Sans Mono", Menlo, Consolas, "Liberation Mono", monospace; }
main > section { break-before: page; }
main > section:first-child { break-before: auto; }

.cover { page: cover; height: 297mm; display: flex; flex-direction: column; }
.stage { background: #0a3d42; color: #fff; padding: 24mm 22mm 18mm; min-height: 135mm; display: flex; flex-direction: column; }
.brand { display: flex; align-items: center; gap: 8pt; font-size: 18pt; font-weight: 700; margin-bottom: auto; }
.logo { flex: none; max-height: 22mm; max-width: 70mm; object-fit: contain; background: #fff; padding: 6pt; }
.ramp { fill: #fff; }
.dot { fill: #ffb866; }
.kind { font-size: 14pt; font-weight: 500; color: #ffcd91; margin: 20mm 0 4pt; }
h1 { font-size: 32pt; margin: 0; font-weight: 700; }
.facts { list-style: none; padding: 0; }
.facts li { display: grid; grid-template-columns: 30mm 1fr; gap: 0 8pt; }
.term { font-weight: 600; color: #3f4d49; }
.about-run { margin: 14mm 22mm 0; }
.about-run li { grid-template-columns: 38mm 1fr; margin-bottom: 5pt; }
.about-run .term { font-weight: 700; }
.cover .note { margin: auto 22mm 20mm; padding: 10pt 12pt; background: #f1efe7; border-left: 3pt solid #0a4a4f; }

table { width: 100%; border-collapse: collapse; }
thead { display: table-header-group; }
th, td { text-align: left; vertical-align: top; padding: 4pt 8pt 4pt 0; border-bottom: 0.5pt solid #d5d3c8; font-weight: 400; }
thead th { font-weight: 700; color: #3f4d49; border-bottom: 1pt solid #6b746f; font-size: 9pt; vertical-align: bottom; }
tr { break-inside: avoid; }
.number { text-align: right; white-space: nowrap; padding-right: 0; padding-left: 8pt; font-variant-numeric: tabular-nums; }
.lead { font-size: 12pt; line-height: 1.35; }
.first { font-size: 10pt; }
.first th[scope="row"] { font-weight: 600; }
.why { font-weight: 400; font-size: 8.5pt; line-height: 1.35; margin: 1pt 0 0; }
.first th[scope="row"], .first td { padding-top: 3pt; padding-bottom: 3pt; }
.numbers th, .numbers td { padding-top: 2.4pt; padding-bottom: 2.4pt; }
.numbers { display: grid; grid-template-columns: 1fr 1fr; gap: 14mm; break-inside: avoid; }
.notice { border: 1pt solid #8a4b00; border-left-width: 4pt; background: #fbf2cd; padding: 6pt 10pt; margin: 8pt 0; break-inside: avoid; }
.notice h3 { margin-top: 0; font-size: 11pt; }
.notice ul, .notice p:last-child { margin-bottom: 2pt; }

.impact { display: inline-flex; align-items: center; gap: 4pt; font-weight: 600; white-space: nowrap; }
.icon { width: 11pt; height: 11pt; flex: none; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.impact-critical { color: #8c1021; }
.impact-serious { color: #793200; }
.impact-moderate { color: #594300; }
.impact-minor { color: #2c4459; }

.narrow { width: 90mm; margin-bottom: 14pt; }
.criteria { font-size: 9pt; }
.criteria td { white-space: nowrap; }
.criteria th, .criteria td { padding-top: 2.4pt; padding-bottom: 2.4pt; }
.narrow th, .narrow td { padding-top: 2.4pt; padding-bottom: 2.4pt; }
.criteria td.state { width: 48mm; }
.state.failed { color: #8c1021; font-weight: 700; }
.state.failed::before { content: "× " / ""; }
.state.review { color: #793200; font-weight: 600; }
.state.review::before { content: "? " / ""; }

.rule { margin-bottom: 10pt; padding-bottom: 4pt; border-bottom: 0.75pt solid #6b746f; }
.rule:last-child { border-bottom: 0; }
.extent { display: flex; gap: 10pt; margin-bottom: 4pt; }
.extent, .extent + p { break-after: avoid; }
.about { font-size: 9pt; }
.about li { margin-bottom: 2pt; }
.examples > li { margin-bottom: 9pt; }
.source { break-inside: avoid; break-after: avoid; }
.fixes, .place { break-inside: avoid; }
.source { background: #f1efe7; border-left: 2pt solid #6b746f; padding: 4pt 6pt; margin-bottom: 4pt; }
.source code { white-space: pre-wrap; unicode-bidi: isolate; }
.cut { font-size: 8.5pt; color: #3f4d49; }
.examples img { display: block; max-width: 100%; max-height: 60mm; border: 1pt solid #6b746f; margin: 4pt 0 6pt; break-inside: avoid; }
.who { background: #f1efe7; padding: 5pt 8pt; margin-bottom: 6pt; break-inside: avoid; }
.who p { margin-bottom: 2pt; }
.who-label, .fix-caption, .color-caption { font-weight: 600; margin: 0; }
.who ul { margin: 0; }
.fix { break-inside: avoid; margin-bottom: 6pt; }
.fix-markup { margin: 0 0 4pt; }
.fix-markup pre { margin: 0; padding: 4pt 6pt; background: #f1efe7; white-space: pre-wrap; }
.fix del { background: #fce8ea; }
.fix ins { background: #e8eff5; font-weight: 700; }
.fix .hint { font-size: 9pt; margin-bottom: 4pt; }
.color-options { display: grid; grid-template-columns: 1fr 1fr 1fr; gap: 8pt; padding: 0; list-style: none; }
.color-sample { width: 36mm; height: 12mm; }
.color-options p { margin: 0; }
.color-options dl { margin: 0; font-size: 8.5pt; }
.color-options dl > div { display: flex; gap: 4pt; }
.color-options dd { margin: 0; }
.fixes { margin-bottom: 4pt; }
.fixes p { margin: 0; font-weight: 600; }
.fixes ul { margin: 0; }
.place { font-size: 8.5pt; margin-bottom: 3pt; }
.place li { grid-template-columns: 16mm 1fr; }
.place code { unicode-bidi: isolate; }
.judged { margin-bottom: 3pt; }
.more, .hidden { font-size: 9pt; color: #3f4d49; }
.pages { font-size: 9pt; }
.pages td p { margin-bottom: 2pt; }
.address { font-size: 0.93em; }
.address-note { margin: 0; font-size: 8.5pt; color: #3f4d49; }
`;
