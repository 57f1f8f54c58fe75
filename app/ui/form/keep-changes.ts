import { isHydrated } from "~/ui/hydration";

/**
 * Keeps text that visitors type into a `textarea` before hydration ends: during hydration, React 18 writes the initial text
 * again, but only if that is still the default text of the `textarea`.
 */
export function keepChanges(): void {
  keepTexts();
  document.addEventListener("input", function onInput() {
    if (isHydrated()) document.removeEventListener("input", onInput, true);
    else keepTexts();
  }, true);
}

function keepTexts(): void {
  for (const area of document.querySelectorAll("textarea")) {
    if (area.value !== area.defaultValue) area.defaultValue = area.value;
  }
}
