import { useChange } from "./use-change";

/**
 * With scripts, a page changes without being loaded, and nothing would tell assistive technology so. Focus goes to the
 * new page's heading whenever `page` changes, but not at first: then the browser has begun at the top by itself. And it
 * goes there when what had the focus is gone after another `visit`, such as the button of an entry that it has removed.
 * A visit of a place on a page takes it to that place.
 */
export function useHeadingFocus(page: string, visit = ""): void {
  useChange(page, focusHeading);
  useChange(visit, () => {
    if (window.location.hash) focusPlace(window.location.hash);
    else if (document.activeElement === document.body) focusHeading();
  });
}

function focusHeading(): void {
  // A link to a place on a page leads there, not to the heading; and what is wrong with a form comes first.
  if (window.location.hash || document.activeElement?.closest("[role=alert]")) return;
  focusOn(document.querySelector<HTMLElement>("main h1"));
}

function focusPlace(hash: string): void {
  const place = document.getElementById(hash.slice(1));
  if (!place?.contains(document.activeElement)) focusOn(place);
}

function focusOn(element: HTMLElement | null): void {
  if (element && element.tabIndex < 0) element.tabIndex = -1;
  element?.focus({ preventScroll: true });
}
