import { tokenAt } from "~/reports/pdf/file/value";

/** Left, bottom, right and top in points on the page. */
export type Box = [number, number, number, number];
type Matrix = [number, number, number, number, number, number];

interface MarkedContent {
  content: string;
  /** Ids of marked content that is decoration now: remove it from the structure tree. */
  decorations: number[];
  /** Boxes of the content of figures, by id of marked content. */
  figures: Map<number, Box>;
}

interface Mark {
  id: number | null;
  isFigure: boolean;
  /** Whether it shows text or a picture, not only lines and areas. */
  hasContent: boolean;
  start: number;
  end: number;
}

/**
 * Marks content outside of the structure, such as backgrounds and page numbers, as decoration (artifact); also backgrounds
 * inside of the structure.
 * @param source content stream of a page, without inline images
 * @param isRepetition whether content is repeated, such as the head of a table on its next page
 */
export function markDecorations(source: string, isRepetition: (id: number) => boolean): MarkedContent {
  const edits: { start: number; end: number; text: string }[] = [];
  const decorations: number[] = [];
  const figures = new Map<number, Box>();
  const marks: Mark[] = [];
  const matrices: Matrix[] = [];
  let matrix: Matrix = [1, 0, 0, 1, 0, 0];
  let operands: string[] = [];
  let start = -1;
  let pathStart = -1;
  let isOpen = false;

  const insert = (at: number, text: string) => edits.push({ start: at, end: at, text });
  const paint = (from: number) => {
    if (marks.length > 0 || isOpen) return;
    insert(from, "/Artifact BMC\n");
    isOpen = true;
  };
  const closeArtifact = (at: number) => {
    if (isOpen) insert(at, "EMC\n");
    isOpen = false;
  };
  const extendFigure = (points: [number, number][]) => {
    for (const { id, isFigure } of marks) {
      if (isFigure && id !== null) figures.set(id, points.reduce((box, point) => extended(box, moved(point, matrix)), figures.get(id) ?? NO_BOX));
    }
  };

  for (let token = tokenAt(source, 0); token; token = tokenAt(source, token.end)) {
    if (start < 0) start = token.start;
    if (token.kind !== "word") {
      operands.push(token.text);
      continue;
    }
    const { text: operator, end } = token;
    switch (operator) {
      case "q":
        matrices.push(matrix);
        break;
      case "Q":
        matrix = matrices.pop() ?? matrix;
        break;
      case "cm":
        matrix = product(operands.map(Number) as Matrix, matrix);
        break;
      case "BT":
      case "ET":
        // Marked content must not cross the borders of a text object.
        closeArtifact(start);
        break;
      case "BMC":
      case "BDC":
        closeArtifact(start);
        marks.push({ id: idOf(operands), isFigure: operands[0] === "/Figure", hasContent: false, start, end });
        break;
      case "EMC": {
        const mark = marks.pop();
        if (mark && mark.id !== null && (isRepetition(mark.id) || (!mark.hasContent && !mark.isFigure))) {
          edits.push({ start: mark.start, end: mark.end, text: "/Artifact BMC" });
          decorations.push(mark.id);
        }
        break;
      }
      case "BI":
        throw new Error("the PDF has an inline image");
      case "n":
        pathStart = -1;
        break;
      default:
        if (PATH.has(operator)) {
          if (pathStart < 0) pathStart = start;
          extendFigure(pointsOf(operator, operands.map(Number)));
        } else if (PAINT.has(operator)) {
          paint(pathStart < 0 ? start : pathStart);
          pathStart = -1;
        } else if (SHOW.has(operator)) {
          paint(start);
          for (const mark of marks) mark.hasContent = true;
          if (operator === "Do") extendFigure(UNIT);
        }
    }
    operands = [];
    start = -1;
  }
  closeArtifact(source.length);
  return { content: applied(source, edits), decorations, figures };
}

const PATH = new Set(["m", "l", "c", "v", "y", "h", "re"]);
const PAINT = new Set(["S", "s", "f", "F", "f*", "B", "B*", "b", "b*"]);
const SHOW = new Set(["Tj", "TJ", "'", '"', "Do", "sh"]);

/** Corners of a picture before its matrix is applied. */
const UNIT: [number, number][] = [[0, 0], [1, 0], [0, 1], [1, 1]];
const NO_BOX: Box = [Infinity, Infinity, -Infinity, -Infinity];

function idOf(operands: string[]): number | null {
  const id = Number(operands[operands.indexOf("/MCID") + 1] ?? NaN);
  return operands.includes("/MCID") && Number.isInteger(id) ? id : null;
}

function pointsOf(operator: string, numbers: number[]): [number, number][] {
  const [x = 0, y = 0, width = 0, height = 0] = numbers;
  if (operator === "re") return [[x, y], [x + width, y + height]];
  return Array.from({ length: Math.floor(numbers.length / 2) }, (_, index) => [numbers[index * 2] ?? 0, numbers[index * 2 + 1] ?? 0]);
}

const product = ([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix => [
  a * A + b * C,
  a * B + b * D,
  c * A + d * C,
  c * B + d * D,
  e * A + f * C + E,
  e * B + f * D + F,
];

const moved = ([x, y]: [number, number], [a, b, c, d, e, f]: Matrix): [number, number] => [a * x + c * y + e, b * x + d * y + f];

const extended = ([left, bottom, right, top]: Box, [x, y]: [number, number]): Box => [
  Math.min(left, x),
  Math.min(bottom, y),
  Math.max(right, x),
  Math.max(top, y),
];

function applied(source: string, edits: { start: number; end: number; text: string }[]): string {
  let at = 0;
  const parts: string[] = [];
  for (const { start, end, text } of edits.sort((one, other) => one.start - other.start)) {
    parts.push(source.slice(at, start), text);
    at = end;
  }
  parts.push(source.slice(at));
  return parts.join("");
}
