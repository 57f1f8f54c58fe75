import { useEffect } from "react";

let hydrated = false;

/** False during hydration: the visitor may already use the page that the server rendered. */
export const isHydrated = (): boolean => hydrated;

/** Hook for the outermost component: its effects run last. */
export function useHydration(): void {
  useEffect(() => {
    hydrated = true;
  }, []);
}
