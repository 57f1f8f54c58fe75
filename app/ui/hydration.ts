import { useEffect } from "react";

let hydrated = false;

/** False while scripts take over a page that the server has rendered, and somebody may be using already. */
export const isHydrated = (): boolean => hydrated;

/** For the outermost component, whose effects come last. */
export function useHydration(): void {
  useEffect(() => {
    hydrated = true;
  }, []);
}
