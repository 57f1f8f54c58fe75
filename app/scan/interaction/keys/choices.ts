/** These functions run inside a page, in an isolated world; they are sent as source text. */

import type { ElementListeners } from "~/scan/rules/rampe/listeners/keep-listeners";
import type { Choice, ChoiceTrial, KeysGlobals } from "./trials";

/** Selector of the text fields that are typed in. */
export const TYPED = "input:not([type]), input[type=text], input[type=search], input[type=tel]";

/**
 * Finds lists, radio buttons, checkboxes and text fields with listeners of scripts. Needs `findWidgets`.
 * @param most maximum number of choices
 * @param typedIn selector of the text fields (`TYPED`)
 * @returns number of kept choices, and number of further ones
 */
export function findChoices(most: number, typedIn: string): { kept: number; more: number } {
  const { rampeKeys: state, rampeFurtherListeners: listeners, rampeListeners: allListeners, rampeDom: dom } = globalThis as unknown as KeysGlobals & ElementListeners;
  if (!state || !listeners) return { kept: 0, more: 0 };
  const [mostSeen, mostAlike, mostDelegated] = [500, 2, 2];
  const selector = "select:not([multiple]), input[type=radio], input[type=checkbox]";
  const counts = new Map<string, number>();
  const usable = [...all(document, "select:not([multiple])"), ...all(document, selector).filter(({ localName }) => localName === "input")].slice(0, mostSeen).filter(isUsable);
  const typed = all(document, typedIn).slice(0, mostSeen).filter((field) => isEmptyField(field) && hearsKeys(field));
  const own = [...usable.filter(hears), ...typed];
  // Listeners of the whole page often have other purposes.
  const delegated = usable.filter((choice) => !own.includes(choice) && hasListenerAround(choice)).slice(0, mostDelegated);
  let more = 0;
  for (const choice of [...own, ...delegated]) {
    const around = dom.parent(choice);
    const alike = [choice.localName, choice.className, choice.name, around && dom.attribute(around, "class")].join(" ");
    counts.set(alike, (counts.get(alike) ?? 0) + 1);
    if ((counts.get(alike) ?? 0) > mostAlike) continue;
    if (state.choices.length < most) state.choices.push(choice);
    else more += 1;
  }
  return { kept: state.choices.length, more };

  function all(root: Document | ShadowRoot, selectors: string): Choice[] {
    const inner = [...root.querySelectorAll("*")].flatMap((host) => {
      const shadow = dom.shadow(host);
      return shadow ? all(shadow, selectors) : [];
    });
    return [...root.querySelectorAll<Choice>(selectors), ...inner];
  }

  function hears(node: Node): boolean {
    return (listeners?.get(node) ?? []).some((type) => /^(change|input)$/.test(type));
  }

  function hearsKeys(node: Node): boolean {
    return hears(node) || (allListeners?.get(node) ?? []).some((type) => /^key(down|press|up)$/.test(type));
  }

  function hasListenerAround(choice: Choice): boolean {
    for (let at: Node | null = dom.parentNode(choice); at; at = at instanceof ShadowRoot ? at.host : dom.parentNode(at)) if (hears(at)) return true;
    return false;
  }

  function isEmptyField(field: Choice): boolean {
    return isReachable(field) && field.value === "" && !field.matches("[readonly], [list], [role=combobox]");
  }

  function isReachable(choice: Choice): boolean {
    return !choice.matches(":disabled, [aria-disabled=true], [aria-hidden=true] *, [inert] *") && choice.checkVisibility({ visibilityProperty: true });
  }

  function isUsable(choice: Choice): boolean {
    if (!isReachable(choice)) return false;
    if (choice instanceof HTMLSelectElement) return choice.size < 2 && [...choice.options].filter(({ disabled }) => !disabled).length > 1;
    return choice.type === "checkbox" || !choice.checked;
  }
}

/** Focuses a choice. @returns number of characters that fill a text field, 1 if it has no limit; undefined if it can no longer be used */
export function readyChoice(index: number, typedIn: string): "list" | "box" | number | undefined {
  const choice = (globalThis as unknown as KeysGlobals).rampeKeys?.choices[index];
  if (!choice?.isConnected || choice.disabled || !choice.checkVisibility({ visibilityProperty: true })) return undefined;
  choice.scrollIntoView({ block: "center", behavior: "instant" });
  choice.focus({ preventScroll: true });
  if (!choice.matches(":focus")) return undefined;
  const longest = 12;
  if (choice.matches(typedIn)) return (choice as HTMLInputElement).maxLength > 0 ? Math.min(longest, (choice as HTMLInputElement).maxLength) : 1;
  return choice instanceof HTMLSelectElement ? "list" : "box";
}

/** Index of the chosen option, or of the checked box of its group, -1 for none; length of a typed text; undefined if it has gone. */
export function chosenOf(index: number, typedIn: string): number | undefined {
  const choice = (globalThis as unknown as KeysGlobals).rampeKeys?.choices[index];
  if (!choice?.isConnected) return undefined;
  if (choice instanceof HTMLSelectElement) return choice.selectedIndex;
  if (choice.matches(typedIn)) return choice.value.length;
  const { type, name, form } = choice;
  const root = choice.getRootNode() as Document | ShadowRoot;
  const group = type === "radio" && name ? [...root.querySelectorAll<HTMLInputElement>("input[type=radio]")].filter((other) => other.name === name && other.form === form) : [choice];
  return group.findIndex(({ checked }) => checked);
}

/**
 * Prepares the key that undoes a change: focuses the box that was checked before.
 * @returns false if no key does that; then the change is undone without a key
 */
export function readyBack(index: number, chosen: number): boolean {
  const choice = (globalThis as unknown as KeysGlobals).rampeKeys?.choices[index];
  if (!choice?.isConnected) return false;
  const { type, name } = choice;
  if (type !== "radio") {
    choice.focus({ preventScroll: true });
    return choice.matches(":focus");
  }
  const root = choice.getRootNode() as Document | ShadowRoot;
  const group = [...root.querySelectorAll<HTMLInputElement>("input[type=radio]")].filter((other) => other.name === name && other.form === choice.form);
  const before = name ? group[chosen] : undefined;
  if (before) before.focus({ preventScroll: true });
  else (choice as HTMLInputElement).checked = false;
  return before?.matches(":focus") === true;
}

/** Has the focus moved from a text field to another element? */
export function hasMovedOn(index: number): boolean {
  const { rampeKeys: state, rampeDom: dom } = globalThis as unknown as KeysGlobals;
  const active = dom.focused();
  return active !== undefined && active !== state?.choices[index];
}

/** Empties a text field, without a key: typed text must not stay for the trials of forms. */
export function emptyField(index: number): void {
  const field = (globalThis as unknown as KeysGlobals).rampeKeys?.choices[index];
  if (!(field instanceof HTMLInputElement) || field.value === "") return;
  field.value = "";
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

export function noteChoice(index: number, trial: ChoiceTrial): void {
  const state = (globalThis as unknown as KeysGlobals).rampeKeys;
  const choice = state?.choices[index];
  if (state && choice) state.trials.set(choice, { ...state.trials.get(choice), choice: trial });
}
