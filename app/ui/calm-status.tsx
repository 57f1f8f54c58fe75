import { useEffect, useRef, useState } from "react";

const MOST_OFTEN_MS = 30_000;

/** Announces changes of the page, at most every 30 s. The first text is not announced: it is read with the page. */
export function CalmStatus({ text }: { text: string }) {
  const [said, setSaid] = useState("");
  const last = useRef({ text, at: 0 });

  useEffect(() => {
    if (last.current.at === 0) last.current.at = Date.now();
    if (text === last.current.text) return;
    const wait = Math.max(0, last.current.at + MOST_OFTEN_MS - Date.now());
    const timer = setTimeout(() => {
      last.current = { text, at: Date.now() };
      setSaid(text);
    }, wait);
    return () => clearTimeout(timer);
  }, [text]);

  return (
    <p className="visually-hidden" role="status">
      {said}
    </p>
  );
}
