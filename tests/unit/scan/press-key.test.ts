import type { CDPSession } from "puppeteer";
import { expect, test } from "vitest";
import { pressCharacter } from "~/scan/interaction/press-key";

test.each([
  ["a", { code: "KeyA", windowsVirtualKeyCode: 65, modifiers: 0 }],
  ["7", { code: "Digit7", windowsVirtualKeyCode: 55, modifiers: 0 }],
  ["/", { code: "Slash", windowsVirtualKeyCode: 191, modifiers: 0 }],
  ["?", { code: "Slash", windowsVirtualKeyCode: 191, modifiers: 8 }],
  ["+", { code: "Equal", windowsVirtualKeyCode: 187, modifiers: 8 }],
])("a page sees the key of %s", async (character, place) => {
  const sent: unknown[] = [];
  const session = { send: (_: string, event: unknown) => Promise.resolve(sent.push(event)) } as unknown as CDPSession;
  await pressCharacter(session, character);
  expect(sent).toEqual([
    { type: "keyDown", text: character, key: character, ...place },
    { type: "keyUp", key: character, ...place },
  ]);
});
