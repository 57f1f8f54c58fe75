import { useSyncExternalStore } from "react";

const never = () => () => {};

/** True after hydration; elements that need scripts are shown from then on. */
export function useScripts(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
