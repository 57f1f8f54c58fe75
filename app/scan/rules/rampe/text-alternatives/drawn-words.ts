import { randomUUID } from "node:crypto";
import type { CDPSession } from "puppeteer";
import type { IsolatedWorld } from "~/scan/page/isolated-world";

export interface DrawnWordsGlobals {
  /** Texts that scripts have drawn into each canvas. */
  rampeDrawnWords?: Map<Node, string[]>;
}

/** By the session of a page: a text that no page knows, and that is answered instead of drawn. */
const questions = new WeakMap<CDPSession, string>();

/**
 * Has the texts noted that scripts draw into canvases, from the next document on. It must be done in the page's own world, whose functions
 * the scripts call.
 * @param session of the page's outermost frame
 */
export async function noteDrawnWords(session: CDPSession): Promise<void> {
  const question = randomUUID();
  await session.send("Page.addScriptToEvaluateOnNewDocument", { source: `{ const __name = (named) => named; (${wrapTextFunctions.toString()})(${JSON.stringify(question)}); }` });
  questions.set(session, question);
}

/** Keeps the texts of canvases for rules to read (`Kit.drawnWords`); none if the page has replaced our functions. */
export async function collectDrawnWords({ session, callOn }: IsolatedWorld): Promise<void> {
  const question = questions.get(session);
  if (!question) return;
  const objectGroup = "rampe-drawn-words";
  try {
    const { result } = await session.send("Runtime.evaluate", { expression: `CanvasRenderingContext2D.prototype.fillText(${JSON.stringify(question)})`, objectGroup });
    if (!result.objectId) return;
    const drawn = (await session.send("Runtime.getProperties", { objectId: result.objectId, ownProperties: true })).result.filter(({ name }) => /^\d+$/.test(name));
    const texts = drawn.filter((_, index) => index % 2 === 1).map(({ value }) => String(value?.value ?? ""));
    const canvases = drawn.filter((_, index) => index % 2 === 0);
    const ids = await Promise.all(canvases.map(async ({ value }) => (value?.objectId ? (await session.send("DOM.describeNode", { objectId: value.objectId })).node.backendNodeId : 0)));
    await callOn(ids, keepDrawnWords, texts);
  } finally {
    await session.send("Runtime.releaseObjectGroup", { objectGroup });
  }
}

/** Runs inside the page, in our isolated world. */
function keepDrawnWords(texts: string[], ...canvases: (Node | null)[]): void {
  Object.assign(globalThis, { rampeDrawnWords: new Map(canvases.flatMap((canvas, index) => (canvas ? [[canvas, texts[index]?.split("\n") ?? []]] : []))) });
}

/**
 * Runs inside the page, before its scripts, in their world. They must find the functions as they are without it. Asked with the
 * question, these answer with a list of canvases, each followed by its texts, one a line.
 */
function wrapTextFunctions(question: string): void {
  const [mostCanvases, mostTexts, mostCharacters, leastAlpha] = [30, 60, 100, 0.1];
  const context = CanvasRenderingContext2D.prototype;
  const { apply: call } = Reflect;
  const { getTransform } = context;
  const drawn: { canvas: HTMLCanvasElement; texts: string[] }[] = [];

  for (const name of ["fillText", "strokeText"] as const) {
    const property = Object.getOwnPropertyDescriptor(context, name);
    if (!property) continue;
    const apply = (target: () => unknown, self: CanvasRenderingContext2D, values: unknown[]) => {
      if (values[0] === question) return answer();
      try {
        note(self, values);
      } catch {
        // Not a context: the function itself says so.
      }
      return call(target, self, values) as unknown;
    };
    Object.defineProperty(context, name, { ...property, value: new Proxy(property.value as () => unknown, { apply }) });
  }

  function note(self: CanvasRenderingContext2D, [text, x, y]: unknown[]): void {
    // Other values would have to be made a text, which a page would notice.
    if (typeof text !== "string" || typeof x !== "number" || typeof y !== "number" || !/\p{L}{3}/u.test(text)) return;
    const { canvas } = self;
    let known = drawn.find((each) => each.canvas === canvas);
    const line = text.slice(0, mostCharacters).replace(/\s+/g, " ");
    // An animation draws the same texts many times a second.
    if (known ? known.texts.length >= mostTexts || known.texts.includes(line) : drawn.length >= mostCanvases) return;
    const { globalAlpha, font } = self;
    const { a, b, c, d, e, f } = call(getTransform, self, []) as DOMMatrix;
    const [left, top] = [a * x + c * y + e, b * x + d * y + f];
    const isInside = left >= -canvas.width && left <= canvas.width && top >= 0 && top <= canvas.height;
    // In fonts of icons, words stand for pictures.
    if (!isInside || globalAlpha < leastAlpha || /icon|symbol|awesome|emoji/i.test(font)) return;
    if (!known) drawn.push((known = { canvas, texts: [] }));
    known.texts.push(line);
  }

  function answer(): unknown[] {
    return drawn.filter(({ canvas }) => canvas.isConnected).flatMap(({ canvas, texts }) => [canvas, texts.join("\n")]);
  }
}
