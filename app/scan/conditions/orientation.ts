/** Orientation of a phone. */
export type Orientation = "portrait" | "landscape";
export const ORIENTATIONS = ["portrait", "landscape"] as const;

/** Content of a page on a phone in one orientation. Texts are counted in letters and digits. */
export interface OrientationView {
  /** Drawn text that is not below a layer over the whole window. */
  shown: number;
  /** Part of that text outside of a request to turn the device. */
  beside: number;
  /** Text that asks users to turn the device; "" for none. */
  request: string;
  /** The request contains a control, which may close it. */
  isClosable: boolean;
  /** A canvas, video or frame as large as half of the window: such content may need one orientation. */
  isDrawing: boolean;
  /** Amount of text turned by 90 degrees. */
  turned: number;
}

/** Problem, and the orientation of the phone in which it occurs. */
export interface OrientationVerdict {
  orientation: Orientation;
  kind: "request" | "turned";
  isCertain: boolean;
}

/** Minimum number of letters and digits of a page with a text of its own. */
const LEAST_TEXT = 20;
/** Thresholds, as shares of the text. */
const LITTLE = 0.1;
const HALF = 0.5;

/** Judges success criterion 1.3.4, except essential orientations, such as a piano. @returns undefined if nothing is wrong */
export function judgeOrientations(views: Record<Orientation, OrientationView>): OrientationVerdict | undefined {
  const verdicts = ORIENTATIONS.flatMap((orientation) => judge(orientation, views) ?? []);
  return verdicts.find(({ isCertain }) => isCertain) ?? verdicts[0];
}

function judge(orientation: Orientation, views: Record<Orientation, OrientationView>): OrientationVerdict | undefined {
  const view = views[orientation];
  const other = views[orientation === "portrait" ? "landscape" : "portrait"];
  const isTurned = view.shown >= LEAST_TEXT && view.turned > view.shown * HALF && other.shown >= LEAST_TEXT && other.turned <= other.shown * LITTLE;
  if (isTurned) return { orientation, kind: "turned", isCertain: true };
  if (!view.request || view.request === other.request) return undefined;
  const isGone = other.beside >= LEAST_TEXT && view.beside <= other.beside * LITTLE;
  const isMostGone = view.beside <= other.beside * HALF;
  if (!isGone && !isMostGone) return undefined;
  return { orientation, kind: "request", isCertain: isGone && !view.isClosable && !other.isDrawing };
}

/** A request to turn a device, German or English, as source of a case-insensitive regular expression. */
export const TURN_REQUEST = [
  String.raw`\b(rotate|turn|tilt|flip) (your|the|this) (mobile |smart)?(device|phone|screen|tablet|mobile|ipad|iphone|display)`,
  String.raw`\bplease (rotate|turn)\b`,
  String.raw`\b(use|switch to|change to|viewed|view|works?|available|supported|hold|best|only) [^.!?]{0,40}\b(landscape|portrait)\b`,
  String.raw`\b(landscape|portrait) (mode|orientation)\b`,
  String.raw`\bdreh(e|en|t)?\b [^.!?]{0,30}(gerät|handy|smartphone|tablet|telefon|bildschirm|iphone|ipad)`,
  String.raw`(gerät|handy|smartphone|tablet|telefon|bildschirm|iphone|ipad) [^.!?]{0,30}\b(drehen|quer|hochkant|aufrecht)\b`,
  String.raw`\b(ins|im|in das|zum) (quer|hoch)format\b`,
].join("|");
