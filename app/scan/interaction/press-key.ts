import type { CDPSession } from "puppeteer";

const TAB = { key: "Tab", windowsVirtualKeyCode: 9 };

const KEYS = {
  Tab: TAB,
  "Shift+Tab": { ...TAB, modifiers: 8 },
  Escape: { key: "Escape", windowsVirtualKeyCode: 27 },
  // Without the text, the browser activates nothing.
  Enter: { key: "Enter", windowsVirtualKeyCode: 13, text: "\r" },
  Space: { key: " ", windowsVirtualKeyCode: 32, text: " " },
  ArrowLeft: { key: "ArrowLeft", windowsVirtualKeyCode: 37 },
  ArrowUp: { key: "ArrowUp", windowsVirtualKeyCode: 38 },
  ArrowRight: { key: "ArrowRight", windowsVirtualKeyCode: 39 },
  ArrowDown: { key: "ArrowDown", windowsVirtualKeyCode: 40 },
  PageUp: { key: "PageUp", windowsVirtualKeyCode: 33 },
  PageDown: { key: "PageDown", windowsVirtualKeyCode: 34 },
  End: { key: "End", windowsVirtualKeyCode: 35 },
  Home: { key: "Home", windowsVirtualKeyCode: 36 },
} as const;
export type Key = keyof typeof KEYS;

/** Presses a key like a user. */
export async function pressKey(session: CDPSession, name: Key): Promise<void> {
  const key = { modifiers: 0, ...KEYS[name], code: name === "Shift+Tab" ? "Tab" : name };
  const { text: _, ...released } = { text: "", ...key };
  await Promise.all([
    session.send("Input.dispatchKeyEvent", { type: "text" in key ? "keyDown" : "rawKeyDown", ...key }),
    session.send("Input.dispatchKeyEvent", { type: "keyUp", ...released }),
  ]);
}

/** Keys of signs on the US keyboard. */
const SIGNS: Record<string, { code: string; windowsVirtualKeyCode: number; modifiers?: number }> = {
  ".": { code: "Period", windowsVirtualKeyCode: 190 },
  ",": { code: "Comma", windowsVirtualKeyCode: 188 },
  "-": { code: "Minus", windowsVirtualKeyCode: 189 },
  "+": { code: "Equal", windowsVirtualKeyCode: 187, modifiers: 8 },
  "/": { code: "Slash", windowsVirtualKeyCode: 191 },
  "?": { code: "Slash", windowsVirtualKeyCode: 191, modifiers: 8 },
};

/** Types a small letter, a digit or one of the signs `.,-+/?`. */
export async function pressCharacter(session: CDPSession, character: string): Promise<void> {
  const upper = character.toUpperCase();
  const place = SIGNS[character] ?? { code: `${/\d/.test(character) ? "Digit" : "Key"}${upper}`, windowsVirtualKeyCode: upper.charCodeAt(0) };
  const key = { key: character, modifiers: 0, ...place };
  await Promise.all([
    session.send("Input.dispatchKeyEvent", { type: "keyDown", text: character, ...key }),
    session.send("Input.dispatchKeyEvent", { type: "keyUp", ...key }),
  ]);
}
