import { useEffect, useRef } from "react";

/** Does something whenever a value has become another one, but not at first: the page may be in use before its scripts are there. */
export function useChange(value: string, work: () => void): void {
  const shown = useRef(value);
  useEffect(() => {
    if (shown.current === value) return;
    shown.current = value;
    work();
  });
}
