import { useRevalidator } from "@remix-run/react";
import { useEffect, useState } from "react";

/**
 * Asks the loader again whenever the server says that something changed.
 * @param path where it says so
 * @returns whether that works here
 */
export function useLiveUpdates(path: string): boolean {
  const { revalidate } = useRevalidator();
  const [live, setLive] = useState(false);

  useEffect(() => {
    const source = new EventSource(path);
    source.onopen = () => setLive(true);
    source.onmessage = () => revalidate();
    source.onerror = () => setLive(false);
    return () => source.close();
  }, [path, revalidate]);

  return live;
}
