import type { CDPSession } from "puppeteer";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { CutConnection } from "~/scan/interaction/cut-connection";
import { pressCharacter, pressKey } from "~/scan/interaction/press-key";
import type { Effect } from "./effects";
import type { CharactersTrial, KeysGlobals } from "./trials";

/**
 * Characters in the order of their test, pressed one after the other before a look at the page. Neighbours such as j and k, or + and -, are
 * apart, as one often undoes the other. The slash, which often moves the focus into a field, comes last.
 */
const GROUPS = ["agmsy4.", "bhntz5,", "ciou06+", "djpv17-", "ekqw28?", "flrx39/"].map((characters) => [...characters]);
/** Maximum number of groups that are searched for the character with the effect. */
const MOST_SEARCHES = 2;
const REST_MS = 200;
const REACTED_WITHIN_MS = 80;

/** Do scripts listen to keys anywhere in the page? Shortcuts need listeners of the window or the document. */
export async function listensToKeys(session: CDPSession): Promise<boolean> {
  const objectGroup = "rampe-key-listeners";
  try {
    for (const expression of ["window", "document", "document.documentElement", "document.body"]) {
      // Listeners belong to the page's main world.
      const { objectId } = (await session.send("Runtime.evaluate", { expression, objectGroup })).result;
      const { listeners } = objectId ? await session.send("DOMDebugger.getEventListeners", { objectId }) : { listeners: [] };
      if (listeners.some(({ type }) => /^key(down|press|up)$/.test(type))) return true;
    }
    return false;
  } finally {
    await session.send("Runtime.releaseObjectGroup", { objectGroup });
  }
}

/**
 * Presses letters, digits and signs while no element has the focus, and keeps in the page's world the first one that has a visible
 * effect, twice (`CharactersTrial`). The page must be cut off from the network.
 * @param asked as in `TryOptions`
 * @param signal ends it at once
 * @returns whether they were tried; false for a page that changes all the time
 */
export async function tryCharacters(world: IsolatedWorld, connection: CutConnection, asked: () => number, signal: AbortSignal): Promise<boolean> {
  const { session } = world;
  await world.call(restWithoutFocus, REST_MS);
  let searches = 0;
  for (const group of GROUPS) {
    if ((await press(group)) !== "clear") continue;
    // On a page that changes all the time, effects of keys are unknown.
    searches += 1;
    if (searches > MOST_SEARCHES) return false;
    await goBack();
    for (const character of group) {
      if ((await press([character])) !== "clear" || !(await isShortcut(character))) continue;
      await goBack();
      await world.call(noteCharacters, { answered: character });
      return true;
    }
  }
  await world.call(noteCharacters, {});
  return true;

  /** Confirms a shortcut: nothing changes without the key, and the same happens when the key is pressed again. */
  async function isShortcut(character: string): Promise<boolean> {
    await goBack();
    return (await press([])) === "none" && (await press([character])) === "clear";
  }

  /** Closes content that a key may have opened. */
  async function goBack(): Promise<void> {
    signal.throwIfAborted();
    await pressKey(session, "Escape");
    await world.call(restWithoutFocus, REST_MS);
  }

  async function press(characters: string[]): Promise<Effect> {
    connection.takeLeaving();
    const before = asked();
    for (const character of characters) {
      signal.throwIfAborted();
      await pressCharacter(session, character);
    }
    const effect = await world.call(effectOnPage, REACTED_WITHIN_MS);
    return connection.takeLeaving() !== undefined || asked() > before ? "clear" : effect;
  }
}

/** Runs inside the page: removes the focus from all elements, and finds parts that change by themselves. */
async function restWithoutFocus(ms: number): Promise<void> {
  (document.activeElement as HTMLElement | null)?.blur();
  await (globalThis as unknown as KeysGlobals).rampeEffects?.rest(ms);
}

async function effectOnPage(ms: number): Promise<Effect> {
  return (await (globalThis as unknown as KeysGlobals).rampeEffects?.after(ms, undefined, true)) ?? "none";
}

function noteCharacters(characters: CharactersTrial): void {
  const { rampeKeys } = globalThis as unknown as KeysGlobals;
  const root = document.documentElement;
  rampeKeys?.trials.set(root, { ...rampeKeys.trials.get(root), characters });
}
