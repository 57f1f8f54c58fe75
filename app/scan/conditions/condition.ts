import type { CDPSession, Protocol } from "puppeteer";
import { VIEWPORT } from "~/scan/page/tab";
import type { Condition } from "~/scan/types";

/** Conditions in which a page looks different, and is not used. */
export type Appearance = Exclude<Condition, "keyboard" | "hover" | "opened" | "forms">;

/** Width that level AA requires pages to fit, as on a screen of 1280 px at 400 %. */
const NARROW = { width: 320, height: 568, deviceScaleFactor: 1 };
/** The usual window when its user has zoomed in to 200 %. */
const ZOOMED = { width: VIEWPORT.width / 2, height: VIEWPORT.height / 2, deviceScaleFactor: 2 };
/** A small phone, upright and on its side. */
const PORTRAIT = { width: 360, height: 640, deviceScaleFactor: 1 };
const LANDSCAPE = { width: 640, height: 360, deviceScaleFactor: 1 };
const USUAL = { ...VIEWPORT, deviceScaleFactor: 1 };

const SIZES: Partial<Record<Appearance, typeof USUAL>> = { phone: NARROW, portrait: PORTRAIT, landscape: LANDSCAPE, "zoom-200": ZOOMED };

/** Of the window, in CSS pixels; it is the usual one in conditions that do not change it. */
export const sizeIn = (condition?: Appearance): typeof USUAL => (condition && SIZES[condition]) ?? USUAL;

/** Text spacing of success criterion 1.4.12, which must not cause a loss of content. */
const TEXT_SPACING = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-block-end: 2em !important; }
`;

/**
 * Text alone, as browsers enlarge it on request. Chromium does so on mobile devices only, where pages without a width of their own get
 * another one (`isAsWideAsDevice`).
 */
const ENLARGED_TEXT = "* { text-size-adjust: 200% !important; }";

/** Values of `screen.orientation`; a phone is upright at 0 degrees. */
const HELD: Partial<Record<Appearance, { screenOrientation: Protocol.Emulation.ScreenOrientation }>> = {
  portrait: { screenOrientation: { type: "portraitPrimary", angle: 0 } },
  landscape: { screenOrientation: { type: "landscapePrimary", angle: 90 } },
};

/** Media features of the user's settings. Forced colours are those of a dark contrast theme, which most people choose. */
const MEDIA: Partial<Record<Appearance, { name: string; value: string }[]>> = {
  dark: [{ name: "prefers-color-scheme", value: "dark" }],
  "forced-colors": [
    { name: "forced-colors", value: "active" },
    { name: "prefers-color-scheme", value: "dark" },
  ],
  "reduced-motion": [{ name: "prefers-reduced-motion", value: "reduce" }],
};

/** Used by finger, so that styles for coarse pointers hold. */
const TOUCHED: readonly Appearance[] = ["phone", "portrait", "landscape"];

/** The browser's own background, as a style that rules can read. */
const CANVAS = "html { background-color: Canvas !important; }";

/** Shows a page in conditions. Its scripts see the window or the settings change, but no change of the document. */
export interface Appearances {
  show(condition: Appearance): Promise<void>;
  /** Gives a page without a background that of the browser, until it is shown in another way. */
  paintCanvas(): Promise<void>;
  /** Shows it as usual again; also in the middle of a change. */
  showUsual(): Promise<void>;
  close(): Promise<void>;
}

/** @param session of the page's outermost frame */
export async function openAppearances(session: CDPSession, frameId: string): Promise<Appearances> {
  // DevTools protocol: scripts of the page do not see the style sheet.
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { styleSheetId } = await session.send("CSS.createStyleSheet", { frameId });
  const setStyle = (text: string) => session.send("CSS.setStyleSheetText", { styleSheetId, text });
  // Not as a mobile device: a page without a viewport of its own has to fit on an enlarged desktop as well.
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
      if (condition === "text-200") await Promise.all([resize(USUAL, condition), setStyle(ENLARGED_TEXT)]);
      else await (size ? resize(size, condition) : media ? setMedia(media) : setStyle(TEXT_SPACING));
    },
    async paintCanvas() {
      await setStyle(CANVAS);
    },
    async showUsual() {
      await Promise.all([resize(USUAL), setStyle(""), setMedia(), setTouch(false)]);
    },
    async close() {
      await Promise.all([session.send("CSS.disable"), session.send("DOM.disable")]);
    },
  };
}

/** Runs inside a page: whether it follows the width of its device, so that a mobile device shows it as a desktop does. */
export function isAsWideAsDevice(): boolean {
  const { content = "" } = document.querySelector<HTMLMetaElement>("meta[name=viewport]") ?? {};
  return /width\s*=\s*device-width/i.test(content) && !/initial-scale\s*=\s*(?!1(\.0*)?\s*(,|;|$))/i.test(content);
}
