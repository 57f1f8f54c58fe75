import { KEEP_NAMES } from "~/scan/page/keep-names";
import { randomUUID } from "node:crypto";
import type { CDPSession } from "puppeteer";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { nodeIds } from "~/scan/page/node-ids";

export interface DrawnWordsGlobals {
  /** Texts that scripts have drawn into each canvas. */
  rampeDrawnWords?: Map<Node, string[]>;
}

/** Maximum number of canvases and texts in an answer: a page may replace our functions and answer anything. */
const MOST_ANSWERS = 60;
const LONGEST_ANSWER = 6_100;
const ANSWER_WITHIN_MS = 500;

/** Secret text by session of a page: no page knows it, and it is answered instead of drawn. */
const questions = new WeakMap<CDPSession, string>();

/**
 * Records the texts that scripts draw into canvases, from the next document on. It must run in the page's main world, whose functions
 * the scripts call.
 * @param session CDP session of the page's outermost frame
 */
export async function noteDrawnWords(session: CDPSession): Promise<void> {
  const question = randomUUID();
  await session.send("Page.addScriptToEvaluateOnNewDocument", { source: `{ ${KEEP_NAMES} (${wrapTextFunctions.toString()})(${JSON.stringify(question)}); }` });
  questions.set(session, question);
}

/** Keeps the texts of canvases for rules to read (`Kit.drawnWords`); none if the page has replaced our functions. */
export async function collectDrawnWords({ session, callOn }: IsolatedWorld): Promise<void> {
  const question = questions.get(session);
  if (!question) return;
  const objectGroup = "rampe-drawn-words";
  try {
    const expression = `(${takeAnswers.toString()})(CanvasRenderingContext2D.prototype.fillText(${JSON.stringify(question)}), ${MOST_ANSWERS}, ${LONGEST_ANSWER})`;
    const { result } = await session.send("Runtime.evaluate", { expression, objectGroup, silent: true, timeout: ANSWER_WITHIN_MS });
    if (!result.objectId) return;
    const drawn = (await session.send("Runtime.getProperties", { objectId: result.objectId, ownProperties: true })).result.filter(({ name }) => /^\d+$/.test(name));
    const texts = drawn.filter((_, index) => index % 2 === 1).map(({ value }) => String(value?.value ?? ""));
    const canvases = drawn.filter((_, index) => index % 2 === 0);
    await callOn(await nodeIds(session, canvases.map(({ value }) => value?.objectId)), keepDrawnWords, texts);
  } finally {
    await session.send("Runtime.releaseObjectGroup", { objectGroup });
  }
}

/** Runs inside the page, in its main world: takes no more than the protocol can carry. */
function takeAnswers(answers: ArrayLike<unknown> | undefined, most: number, longest: number): unknown[] {
  const taken = [];
  for (let index = 0; index < most; index += 1) {
    const answer = answers?.[index];
    taken[index] = typeof answer === "string" && answer.length > longest ? "" : answer;
  }
  return taken;
}

/** Runs inside the page, in our isolated world. */
function keepDrawnWords(texts: string[], ...canvases: (Node | null)[]): void {
  Object.assign(globalThis, { rampeDrawnWords: new Map(canvases.flatMap((canvas, index) => (canvas ? [[canvas, texts[index]?.split("\n") ?? []]] : []))) });
}

/**
 * Runs inside the page, before its scripts, in their world. The functions must look unchanged to them. Called with the question, they
 * answer with a list of canvases, each followed by its texts, one per line.
 */
function wrapTextFunctions(question: string): void {
  const [mostCanvases, mostTexts, mostCharacters, leastAlpha] = [30, 60, 100, 0.1];
  const context = CanvasRenderingContext2D.prototype;
  const { apply: call } = Reflect;
  const { getTransform } = context;
  const drawn: { canvas: HTMLCanvasElement; width: number; height: number; texts: string[] }[] = [];

  for (const name of ["fillText", "strokeText"] as const) {
    wrap(name, (self, values) => {
      if (values[0] === question) return answer();
      note(self, values);
    });
  }
  for (const name of ["clearRect", "fillRect"] as const) wrap(name, forget);

  /** @param notice its result is answered instead */
  function wrap(name: "fillText" | "strokeText" | "clearRect" | "fillRect", notice: (self: CanvasRenderingContext2D, values: unknown[]) => unknown): void {
    const property = Object.getOwnPropertyDescriptor(context, name);
    if (!property) return;
    const apply = (target: () => unknown, self: CanvasRenderingContext2D, values: unknown[]) => {
      try {
        const answered = notice(self, values);
        if (answered !== undefined) return answered;
      } catch {
        // The object is no context: the function itself throws an error.
      }
      return call(target, self, values) as unknown;
    };
    Object.defineProperty(context, name, { ...property, value: new Proxy(property.value as () => unknown, { apply }) });
  }

  /** Forgets the texts of a canvas that is wholly covered. */
  function forget(self: CanvasRenderingContext2D, [, , width, height]: unknown[]): void {
    const { canvas } = self;
    const known = drawn.find((each) => each.canvas === canvas);
    if (!known || typeof width !== "number" || typeof height !== "number") return;
    const { a, b, c, d } = call(getTransform, self, []) as DOMMatrix;
    if (Math.abs(width * height * (a * d - b * c)) >= canvas.width * canvas.height * 0.9) known.texts = [];
  }

  function note(self: CanvasRenderingContext2D, [text, x, y]: unknown[]): void {
    // Converting other values to text would be visible to the page.
    if (typeof text !== "string" || typeof x !== "number" || typeof y !== "number" || !/\p{L}{3}/u.test(text)) return;
    const { canvas } = self;
    let known = drawn.find((each) => each.canvas === canvas);
    if (known && !hasItsSize(known)) Object.assign(known, { texts: [], width: canvas.width, height: canvas.height });
    const line = text.slice(0, mostCharacters).replace(/\s+/g, " ");
    // An animation draws the same texts many times a second.
    if (known ? known.texts.length >= mostTexts || known.texts.includes(line) : !hasRoom()) return;
    const { globalAlpha, font } = self;
    const { a, b, c, d, e, f } = call(getTransform, self, []) as DOMMatrix;
    const [left, top] = [a * x + c * y + e, b * x + d * y + f];
    const isInside = left >= 0 && left <= canvas.width && top >= 0 && top <= canvas.height;
    // In icon fonts, words represent pictures.
    if (!isInside || globalAlpha < leastAlpha || /icon|symbol|awesome|emoji/i.test(font.split(",", 1)[0] ?? "")) return;
    if (!known) drawn.push((known = { canvas, width: canvas.width, height: canvas.height, texts: [] }));
    known.texts.push(line);
  }

  /** Has the canvas its old size? A new size clears its content. */
  function hasItsSize({ canvas, width, height }: (typeof drawn)[number]): boolean {
    return canvas.width === width && canvas.height === height;
  }

  /** Is there room for another canvas? Canvases outside of the document are replaced. */
  function hasRoom(): boolean {
    if (drawn.length < mostCanvases) return true;
    const unseen = drawn.findIndex(({ canvas }) => !canvas.isConnected);
    if (unseen >= 0) drawn.splice(unseen, 1);
    return unseen >= 0;
  }

  function answer(): unknown[] {
    return drawn.filter((each) => each.canvas.isConnected && hasItsSize(each)).flatMap(({ canvas, texts }) => [canvas, texts.join("\n")]);
  }
}
