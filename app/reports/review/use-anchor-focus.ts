import { useLocation } from "@remix-run/react";
import { useEffect } from "react";

/** With scripts, an address with a place on the page scrolls there; focus follows where what had it is gone. */
export function useAnchorFocus(): void {
  const { hash, key } = useLocation();
  useEffect(() => {
    if (hash === "" || document.activeElement !== document.body) return;
    document.getElementById(decodeURIComponent(hash.slice(1)))?.focus({ preventScroll: true });
  }, [hash, key]);
}
