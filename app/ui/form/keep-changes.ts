import { isHydrated } from "~/ui/hydration";

/**
 * Keeps what people write into texts of several lines until scripts have taken the page over: while it does so, React 18
 * writes the first text of a `textarea` once more, but only where that is still its default text.
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
