import type { CDPSession } from "puppeteer";
import { VIEWPORT } from "~/scan/page/tab";
import type { Condition } from "~/scan/types";

/** Conditions in which a page looks different, and is not used. */
export type Appearance = Exclude<Condition, "keyboard" | "opened" | "forms">;

/** Width that level AA requires pages to fit, as on a screen of 1280 px at 400 %. */
const NARROW = { width: 320, height: 568 };

/** What people may set, by success criterion 1.4.12, without losing anything. */
const TEXT_SPACING = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-block-end: 2em !important; }
`;

/** Shows a page in conditions. Its scripts see the window change, but no change of the document. */
export interface Appearances {
  show(condition: Appearance): Promise<void>;
  /** Shows it as usual again; also in the middle of a change. */
  showUsual(): Promise<void>;
  close(): Promise<void>;
}

/** @param session of the page's outermost frame */
export async function openAppearances(session: CDPSession, frameId: string): Promise<Appearances> {
  // Of the browser's own tools, so that the page's scripts do not see the style sheet.
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { styleSheetId } = await session.send("CSS.createStyleSheet", { frameId });
  const setStyle = (text: string) => session.send("CSS.setStyleSheetText", { styleSheetId, text });
  // Not as a mobile device: a page without a viewport of its own has to fit on an enlarged desktop as well.
  const resize = (size: typeof NARROW) => session.send("Emulation.setDeviceMetricsOverride", { ...size, deviceScaleFactor: 1, mobile: false });
  return {
    async show(condition) {
      await (condition === "phone" ? resize(NARROW) : setStyle(TEXT_SPACING));
    },
    async showUsual() {
      await Promise.all([resize(VIEWPORT), setStyle("")]);
    },
    async close() {
      await Promise.all([session.send("CSS.disable"), session.send("DOM.disable")]);
    },
  };
}
