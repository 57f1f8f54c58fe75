import { useLocation } from "@remix-run/react";
import { useEffect } from "react";

/** With scripts, the page scrolls to the fragment of its address; this moves the focus too if the focused element is gone. */
export function useAnchorFocus(): void {
  const { hash, key } = useLocation();
  useEffect(() => {
    if (hash === "" || document.activeElement !== document.body) return;
    document.getElementById(decodeURIComponent(hash.slice(1)))?.focus({ preventScroll: true });
  }, [hash, key]);
}
