import { useEffect, useRef } from "react";

/**
 * With scripts, a page changes without being loaded, and nothing would tell assistive technology so. Focus goes to the
 * new page's heading whenever `page` changes, but not at first: then the browser has begun at the top by itself.
 */
export function useHeadingFocus(page: string): void {
  const shown = useRef(page);

  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    // A link to a place on a page leads there, not to the heading.
    if (window.location.hash) return;
    const heading = document.querySelector<HTMLElement>("main h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
  }, [page]);
}
