import { useEffect, useRef } from "react";

/** Runs `work` when a value changes, but not at first: the visitor may use the page before its scripts are loaded. */
export function useChange(value: string, work: () => void): void {
  const shown = useRef(value);
  useEffect(() => {
    if (shown.current === value) return;
    shown.current = value;
    work();
  });
}
