import { useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

/**
 * Calls the loader again when the server reports a change.
 * @param path of the server's event stream
 * @returns whether it is connected
 */
export function useLiveUpdates(path: string): boolean {
  const { revalidate } = useRevalidator();
  const navigation = useNavigation();
  const [live, setLive] = useState(false);
  const [reported, setReported] = useState(0);
  const loaded = useRef(0);

  useEffect(() => {
    const source = new EventSource(path);
    source.onopen = () => setLive(true);
    source.onmessage = () => setReported((count) => count + 1);
    source.onerror = () => setLive(false);
    return () => source.close();
  }, [path]);

  useEffect(() => {
    // During navigation, `revalidate` would abort the request for the next page, which may be fresh already.
    if (reported === loaded.current || navigation.state !== "idle") return;
    loaded.current = reported;
    revalidate();
  }, [reported, navigation.state, revalidate]);

  return live;
}
