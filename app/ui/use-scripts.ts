import { useSyncExternalStore } from "react";

const never = () => () => {};

/** True as soon as scripts have taken the page over; what needs them is shown from then on. */
export function useScripts(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
