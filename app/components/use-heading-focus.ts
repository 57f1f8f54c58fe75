import { useEffect, useRef } from "react";

/**
 * With scripts, a page changes without being loaded, and nothing would tell assistive technology so. Focus goes to the
 * new page's heading whenever `page` changes, but not at first: then the browser has begun at the top by itself. And it
 * goes there when what had the focus is gone after another `visit`, such as the button of an entry that it has removed.
 */
export function useHeadingFocus(page: string, visit = ""): void {
  const shown = useRef(page);

  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    focusHeading();
  }, [page]);

  const seen = useRef(visit);
  useEffect(() => {
    if (seen.current === visit) return;
    seen.current = visit;
    if (document.activeElement === document.body) focusHeading();
  }, [visit]);
}

function focusHeading(): void {
  // A link to a place on a page leads there, not to the heading; and what is wrong with a form comes first.
  if (window.location.hash || document.activeElement?.closest("[role=alert]")) return;
  const heading = document.querySelector<HTMLElement>("main h1");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
}
