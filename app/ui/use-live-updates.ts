import { useRevalidator } from "@remix-run/react";
import { useEffect, useState } from "react";

/**
 * Calls the loader again when the server reports a change.
 * @param path of the server's event stream
 * @returns whether it is connected
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
