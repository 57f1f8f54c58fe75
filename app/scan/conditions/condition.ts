import type { CDPSession } from "puppeteer";
import { VIEWPORT } from "~/scan/page/tab";
import type { Condition } from "~/scan/types";

/** Conditions in which a page looks different, and is not used. */
export type Appearance = Exclude<Condition, "keyboard">;

/** Width that level AA requires pages to fit, as on a screen of 1280 px at 400 %. */
const PHONE = { width: 320, height: 568 };

/** What people may set, by success criterion 1.4.12, without losing anything. */
const TEXT_SPACING = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-block-end: 2em !important; }
`;

/**
 * Shows a page in a condition. The page's scripts see a change of the window, but no change of the document.
 * @returns shows it as before
 */
export async function showIn(condition: Appearance, session: CDPSession, frameId: string): Promise<() => Promise<void>> {
  return condition === "phone" ? showOnPhone(session) : spaceText(session, frameId);
}

async function showOnPhone(session: CDPSession): Promise<() => Promise<void>> {
  await Promise.all([resize(session, PHONE), session.send("Emulation.setTouchEmulationEnabled", { enabled: true })]);
  return async () => {
    await Promise.all([resize(session, VIEWPORT), session.send("Emulation.setTouchEmulationEnabled", { enabled: false })]);
  };
}

/** A page without a viewport of its own is laid out as on a desktop at 400 %, for which the width is required. */
async function resize(session: CDPSession, size: typeof PHONE): Promise<void> {
  await session.send("Emulation.setDeviceMetricsOverride", { ...size, deviceScaleFactor: 1, mobile: false });
}

async function spaceText(session: CDPSession, frameId: string): Promise<() => Promise<void>> {
  // Of the browser's own tools, so that the page's scripts do not see the style sheet.
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { styleSheetId } = await session.send("CSS.createStyleSheet", { frameId });
  await session.send("CSS.setStyleSheetText", { styleSheetId, text: TEXT_SPACING });
  return async () => {
    await session.send("CSS.setStyleSheetText", { styleSheetId, text: "" });
    await session.send("CSS.disable");
    await session.send("DOM.disable");
  };
}
