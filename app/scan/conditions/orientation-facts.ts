import type { DomGlobals } from "~/scan/page/dom";
import type { CDPSession } from "puppeteer";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { MeasureGlobals } from "./measures";
import { TURN_REQUEST, type Orientation, type OrientationVerdict, type OrientationView } from "./orientation";

/** Problem of the page in the current orientation, and the element to show for it. */
export interface OrientationFacts {
  verdict: OrientationVerdict | undefined;
  element: Element | undefined;
}

export interface OrientationGlobals {
  /** Undefined on a page that does not depend on its orientation. */
  rampeOrientation?: OrientationFacts;
  /** Element to show with the finding: the request to turn the device, or the turned element. */
  rampeHeld?: Partial<Record<Orientation, { request: Element | undefined; turned: Element | undefined }>>;
}

/**
 * May the page look different when the device is turned? Its style sheets (also of other origins), inline scripts or listeners depend
 * on the orientation, or it has a text that asks to turn the device. Changes nothing.
 * @param session CDP session with the domains DOM and CSS enabled
 */
export async function looksAtOrientation(session: CDPSession, world: IsolatedWorld): Promise<boolean> {
  const { medias } = await session.send("CSS.getMediaQueries");
  if (medias.some(({ text }) => /orientation|aspect-ratio/i.test(text))) return true;
  if (await world.call(mentionsOrientation, TURN_REQUEST)) return true;
  const types = await Promise.all([listensTo(session, "window", /^orientationchange$/), listensTo(session, "window.screen.orientation", /^change$/)]);
  return types.includes(true);
}

async function listensTo(session: CDPSession, expression: string, type: RegExp): Promise<boolean> {
  // Listeners belong to the page's main world; the page may have replaced the objects there.
  const { objectId } = (await session.send("Runtime.evaluate", { expression, silent: true, throwOnSideEffect: true })).result;
  if (!objectId) return false;
  try {
    const { listeners } = await session.send("DOMDebugger.getEventListeners", { objectId });
    return listeners.some((listener) => type.test(listener.type));
  } catch {
    return false;
  } finally {
    await session.send("Runtime.releaseObject", { objectId });
  }
}

/* The following functions run inside a page, in an isolated world; they are sent as source text. */

function mentionsOrientation(request: string): boolean {
  const most = 500_000;
  const scripts = [...document.scripts].map(({ text }) => text).join("\n");
  if (/orientationchange|screen\.orientation|\(\s*orientation\s*:|-aspect-ratio/i.test(scripts.slice(0, most))) return true;
  return new RegExp(request, "i").test((document.documentElement.textContent ?? "").slice(0, most).replace(/\s+/g, " "));
}

/** Keeps the element to show for the current orientation, and returns what the page shows. */
export function noteOrientation(orientation: Orientation, requestSource: string): OrientationView {
  const { rampeMeasures: measures, rampeDom: dom } = globalThis as unknown as MeasureGlobals & DomGlobals;
  if (!measures) throw new Error("No measures are defined.");
  const longestRequest = 300;
  const mostHolders = 2_000;
  const [quarter, tolerance] = [90, 2];
  // A form's controls may hide its properties by having the same names.
  const innerTextOf = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "innerText")?.get as () => string;
  const angles = new Map<Element, number>();
  const texts = new Map(measures.lines().map(({ text, holder }) => [text, holder]));
  const request = findRequest();
  const layer = request && layerAround(request);
  const seen = [...texts].filter(([, holder]) => !layer || dom.contains(layer, holder));
  // The whole layer, or a box with little other content, is the request, with its heading and picture.
  const part = request && (layer ?? boxOf(request));
  const lying = seen.filter(([, holder]) => Math.abs((Math.abs(angleOf(holder)) % 180) - quarter) < tolerance);
  const globals = globalThis as OrientationGlobals;
  globals.rampeHeld = { ...globals.rampeHeld, [orientation]: { request, turned: lying[0] && outermostTurned(lying[0][1]) } };
  return {
    shown: count(seen),
    beside: count(seen.filter(([, holder]) => !part || !dom.contains(part, holder))),
    request: part ? plain(part) : "",
    isClosable: part !== undefined && measures.controls().some((each) => dom.contains(part, each) || dom.contains(each, part)),
    isDrawing: [...document.querySelectorAll("canvas, video, iframe, object, embed")].some(isLarge),
    turned: count(lying),
  };

  function findRequest(): Element | undefined {
    const pattern = new RegExp(requestSource, "i");
    const holders = [...new Set(texts.values())].slice(0, mostHolders);
    const isRequest = (each: Element) => plain(each).length <= longestRequest && pattern.test(plain(each));
    const found = holders.find(isRequest);
    if (found) return found;
    // The words may be in several elements: <p>Please <b>rotate</b> your device</p>.
    const parents = new Set(holders.flatMap((each) => dom.parent(each) ?? []));
    return [...parents].find(isRequest);
  }

  /** Largest box around a request that is not longer than a request may be. */
  function boxOf(element: Element): Element {
    let box = element;
    for (let at = dom.parent(element); at && at !== document.body; at = dom.parent(at)) {
      if (plain(at).length > longestRequest || dom.matches(at, "main, header, footer, nav, form")) break;
      const others = dom.children(at).filter((each) => !dom.contains(each, element) && plain(each) !== "");
      if (others.some((each) => !dom.matches(each, "h1, h2, h3, h4, h5, h6, p, span, b, strong, em, small, img, svg, br"))) break;
      box = at;
    }
    return box;
  }

  /** Opaque element that covers the whole window. */
  function layerAround(element: Element): Element | undefined {
    for (let at: Element | null = element; at && at !== document.body; at = dom.parent(at)) {
      const { left, top, right, bottom } = dom.box(at);
      const isWhole = left <= 1 && top <= 1 && right >= innerWidth - 1 && bottom >= innerHeight - 1;
      const { position, backgroundColor, backgroundImage, opacity } = getComputedStyle(at);
      const [, alpha = "1"] = /rgba\(.*, ([\d.]+)\)/.exec(backgroundColor) ?? [];
      const isOpaque = (Number(alpha) > 0.95 || backgroundImage !== "none") && Number(opacity) > 0.95;
      if (isWhole && isOpaque && /^(fixed|absolute)$/.test(position) && isOnTop(at)) return at;
    }
    return undefined;
  }

  function isOnTop(layer: Element): boolean {
    const parts = [0.1, 0.5, 0.9];
    return parts.every((x) => parts.every((y) => dom.contains(layer, document.elementFromPoint(innerWidth * x, innerHeight * y))));
  }

  function isLarge(element: Element): boolean {
    const { width, height } = element.getBoundingClientRect();
    return element.checkVisibility({ visibilityProperty: true }) && width * height > (innerWidth * innerHeight) / 2;
  }

  /** Rotation of an element together with all elements around it, in degrees. */
  function angleOf(element: Element): number {
    const known = angles.get(element);
    if (known !== undefined) return known;
    const parent = dom.parent(element);
    const angle = ownAngle(element) + (parent ? angleOf(parent) : 0);
    angles.set(element, angle);
    return angle;
  }

  function ownAngle(element: Element): number {
    const { transform, rotate } = getComputedStyle(element);
    const { a, b } = transform === "none" ? new DOMMatrix() : new DOMMatrix(transform);
    return (Math.atan2(b, a) * 180) / Math.PI + (/^-?[\d.]+deg$/.test(rotate) ? Number.parseFloat(rotate) : 0);
  }

  function outermostTurned(element: Element): Element {
    let found = element;
    for (let at: Element | null = element; at; at = dom.parent(at)) if (Math.abs(ownAngle(at)) > tolerance) found = at;
    return found;
  }

  function count(parts: [Text, Element][]): number {
    return parts.reduce((sum, [{ data }]) => sum + (data.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0);
  }

  function plain(element: Element): string {
    // Long texts are no requests, and reading their text takes time.
    if (dom.text(element).length > longestRequest * 20) return "-".repeat(longestRequest + 1);
    return (element instanceof HTMLElement ? innerTextOf.call(element) : dom.text(element)).replace(/\s+/g, " ").trim();
  }
}

/** Keeps the facts for the rule; null if the page is right in both orientations. */
export function keepOrientation(verdict: OrientationVerdict | null): void {
  const globals = globalThis as OrientationGlobals;
  const held = verdict && globals.rampeHeld?.[verdict.orientation];
  globals.rampeOrientation = { verdict: verdict ?? undefined, element: (verdict && held?.[verdict.kind]) ?? undefined };
}

/** Clears the facts: an earlier analysis of the same document may have kept some. */
export function forgetOrientation(): void {
  Object.assign(globalThis, { rampeOrientation: undefined, rampeHeld: undefined });
}
