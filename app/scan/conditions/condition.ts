import type { Protocol } from "puppeteer";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { VIEWPORT } from "~/scan/page/tab";
import type { Condition } from "~/scan/types";
import { styleShadowRoots } from "./shadow-styles";

/** Conditions in which a page looks different, and is not used. */
export type Appearance = Exclude<Condition, "keyboard" | "hover" | "opened" | "forms">;

/** Width that pages must fit at level AA: a screen of 1280 px at 400 %. */
const NARROW = { width: 320, height: 568, deviceScaleFactor: 1 };
/** The usual window at 200 % zoom. */
const ZOOMED = { width: VIEWPORT.width / 2, height: VIEWPORT.height / 2, deviceScaleFactor: 2 };
/** A small phone, in portrait and landscape orientation. */
const PORTRAIT = { width: 360, height: 640, deviceScaleFactor: 1 };
const LANDSCAPE = { width: 640, height: 360, deviceScaleFactor: 1 };
const USUAL = { ...VIEWPORT, deviceScaleFactor: 1 };

const SIZES: Partial<Record<Appearance, typeof USUAL>> = { phone: NARROW, portrait: PORTRAIT, landscape: LANDSCAPE, "zoom-200": ZOOMED };

/** Size of the window, in CSS pixels; the usual one in conditions that do not change it. */
export const sizeIn = (condition?: Appearance): typeof USUAL => (condition && SIZES[condition]) ?? USUAL;

/** Text spacing of success criterion 1.4.12, which must not cause a loss of content. */
const TEXT_SPACING = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-block-end: 2em !important; }
`;

/**
 * Text enlarged by the browser, without the layout. Chromium does so only on mobile devices, where pages without a width of their own
 * get another width (`isAsWideAsDevice`).
 */
const ENLARGED_TEXT = "* { text-size-adjust: 200% !important; }";

/** Values of `screen.orientation`; a phone is upright at 0 degrees. */
const HELD: Partial<Record<Appearance, { screenOrientation: Protocol.Emulation.ScreenOrientation }>> = {
  portrait: { screenOrientation: { type: "portraitPrimary", angle: 0 } },
  landscape: { screenOrientation: { type: "landscapePrimary", angle: 90 } },
};

/** Media features of the user's settings. Forced colours are those of a dark contrast theme, the most common choice. */
const MEDIA: Partial<Record<Appearance, { name: string; value: string }[]>> = {
  dark: [{ name: "prefers-color-scheme", value: "dark" }],
  "forced-colors": [
    { name: "forced-colors", value: "active" },
    { name: "prefers-color-scheme", value: "dark" },
  ],
  "reduced-motion": [{ name: "prefers-reduced-motion", value: "reduce" }],
};

/** Conditions with touch input, so that styles for coarse pointers apply. */
const TOUCHED: readonly Appearance[] = ["phone", "portrait", "landscape"];

/** The browser's own background, as a style that rules can read. */
const CANVAS = "html { background-color: Canvas !important; }";

/** Shows a page in conditions. Its scripts notice the change of the window or the settings, but no change of the document. */
export interface Appearances {
  show(condition: Appearance): Promise<void>;
  /** Gives a page without a background the background of the browser, until the next change of the condition. */
  paintCanvas(): Promise<void>;
  /** Shows the page in the usual condition again; also during a change. */
  showUsual(): Promise<void>;
  close(): Promise<void>;
}

/** @param world isolated world of the page's outermost frame */
export async function openAppearances(world: IsolatedWorld): Promise<Appearances> {
  const { session, frameId } = world;
  // DevTools protocol: scripts of the page do not see the style sheet.
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { styleSheetId } = await session.send("CSS.createStyleSheet", { frameId });
  const setStyle = (text: string) => session.send("CSS.setStyleSheetText", { styleSheetId, text });
  let isStyledInside = false;
  /** Styles of text, also in open shadow roots: components may set their own. */
  const setTextStyle = async (text: string) => {
    if (text) isStyledInside = true;
    await Promise.all([setStyle(text), isStyledInside && world.call(styleShadowRoots, text)]);
    // If it fails, the next change of the condition takes the styles away.
    if (!text) isStyledInside = false;
  };
  // Not a mobile device: a page without a viewport of its own must also fit on an enlarged desktop.
  const resize = (size: typeof USUAL, condition?: Appearance) =>
    session.send("Emulation.setDeviceMetricsOverride", { ...size, mobile: condition === "text-200", ...(condition && HELD[condition]) });
  let isTouched = false;
  const setTouch = async (enabled: boolean) => {
    if (isTouched !== enabled) await session.send("Emulation.setTouchEmulationEnabled", { enabled });
    isTouched = enabled;
  };
  const setMedia = (features: { name: string; value: string }[] = []) => session.send("Emulation.setEmulatedMedia", { features });
  return {
    async show(condition) {
      const [size, media] = [SIZES[condition], MEDIA[condition]];
      if (TOUCHED.includes(condition)) await setTouch(true);
      if (condition === "text-200") await Promise.all([resize(USUAL, condition), setTextStyle(ENLARGED_TEXT)]);
      else await (size ? resize(size, condition) : media ? setMedia(media) : setTextStyle(TEXT_SPACING));
    },
    async paintCanvas() {
      await setStyle(CANVAS);
    },
    async showUsual() {
      await Promise.all([resize(USUAL), setTextStyle(""), setMedia(), setTouch(false)]);
    },
    async close() {
      await Promise.all([session.send("CSS.disable"), session.send("DOM.disable")]);
    },
  };
}

/** Runs inside a page. Does the page follow the width of its device, so that a mobile device shows it like a desktop? */
export function isAsWideAsDevice(): boolean {
  const { content = "" } = document.querySelector<HTMLMetaElement>("meta[name=viewport]") ?? {};
  return /width\s*=\s*device-width/i.test(content) && !/initial-scale\s*=\s*(?!1(\.0*)?\s*(,|;|$))/i.test(content);
}
