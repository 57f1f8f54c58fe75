import type { CDPSession } from "puppeteer";

const TAB = { key: "Tab", windowsVirtualKeyCode: 9 };

const KEYS = {
  Tab: TAB,
  "Shift+Tab": { ...TAB, modifiers: 8 },
  Escape: { key: "Escape", windowsVirtualKeyCode: 27 },
  // Without their text, the browser activates nothing.
  Enter: { key: "Enter", windowsVirtualKeyCode: 13, text: "\r" },
  Space: { key: " ", windowsVirtualKeyCode: 32, text: " " },
  ArrowDown: { key: "ArrowDown", windowsVirtualKeyCode: 40 },
} as const;
export type Key = keyof typeof KEYS;

/** Presses a key as a person would. */
export async function pressKey(session: CDPSession, name: Key): Promise<void> {
  const key = { modifiers: 0, ...KEYS[name], code: name === "Shift+Tab" ? "Tab" : name };
  const { text: _, ...released } = { text: "", ...key };
  await Promise.all([
    session.send("Input.dispatchKeyEvent", { type: "text" in key ? "keyDown" : "rawKeyDown", ...key }),
    session.send("Input.dispatchKeyEvent", { type: "keyUp", ...released }),
  ]);
}
