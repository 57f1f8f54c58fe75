import { useChange } from "./use-change";

/**
 * With scripts, a page changes without loading, and assistive technology would not notice. Focus moves to the new page's
 * heading when `page` changes, but not at first: the browser itself starts at the top then. Focus also moves there when a
 * `visit` has removed the focused element, such as the button of a deleted entry. A link to a place on a page moves the
 * focus to that place.
 */
export function useHeadingFocus(page: string, visit = ""): void {
  useChange(page, focusHeading);
  useChange(visit, () => {
    if (window.location.hash) focusTarget(window.location.hash);
    else if (document.activeElement === document.body) focusHeading();
  });
}

function focusHeading(): void {
  // A link to a place on a page focuses that place, not the heading; a form's error summary keeps the focus.
  if (window.location.hash || document.activeElement?.closest("[role=alert]")) return;
  focusOn(document.querySelector<HTMLElement>("main h1"));
}

function focusTarget(hash: string): void {
  const place = document.getElementById(hash.slice(1));
  if (!place?.contains(document.activeElement)) focusOn(place);
}

function focusOn(element: HTMLElement | null): void {
  if (element && element.tabIndex < 0) element.tabIndex = -1;
  element?.focus({ preventScroll: true });
}
