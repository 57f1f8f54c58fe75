import { useEffect } from "react";

let takenOver = false;

/** False while scripts take over a page that the server has rendered, and somebody may be using already. */
export const isTakenOver = (): boolean => takenOver;

/** For the outermost component, whose effects come last. */
export function useTakingOver(): void {
  useEffect(() => {
    takenOver = true;
  }, []);
}
