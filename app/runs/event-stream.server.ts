import type { RunEvents } from "./events.server";

// Interval of the keep-alive: proxies close a connection after a silent minute, and the queue position changes without an event.
const AT_LEAST_EVERY_MS = 25_000;
/** Rate limit: a site's run changes many times a second, faster than users can read. */
const AT_MOST_EVERY_MS = 1_000;
/** `X-Accel-Buffering` is for nginx, which otherwise holds events back until it has several kilobytes. */
const HEADERS = { "Content-Type": "text/event-stream", "Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no" };

/**
 * Server-sent events that say only "something changed"; the page then calls its loader again.
 * @param isOver true if the run has ended; called after each change
 */
export function runEventStream(events: RunEvents, runId: string, isOver: () => Promise<boolean>, { method, signal }: Pick<Request, "method" | "signal">): Response {
  // A HEAD request has no reader, and its signal never aborts.
  if (method === "HEAD") return new Response(null, { headers: HEADERS });
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      let open = true;
      const send = (text: string) => open && controller.enqueue(encoder.encode(text));
      let pending: NodeJS.Timeout | undefined;
      // Monotonic clock, which is never set back.
      let toldAt = performance.now();
      const end = () => {
        if (!open) return;
        open = false;
        unsubscribe();
        clearInterval(keepAlive);
        clearTimeout(pending);
        try {
          controller.close();
        } catch {
          // The connection has already ended.
        }
      };
      const tell = async () => {
        pending = undefined;
        toldAt = performance.now();
        const over = await isOver();
        send("data: changed\n\n");
        if (over) end();
      };
      const onChange = () => {
        pending ??= setTimeout(() => void tell().catch(end), Math.max(0, toldAt + AT_MOST_EVERY_MS - performance.now()));
      };
      const unsubscribe = events.subscribe(runId, onChange);
      const keepAlive = setInterval(() => send("data: changed\n\n"), AT_LEAST_EVERY_MS);
      signal.addEventListener("abort", end);
      if (signal.aborted) return end();
      // First event: the run may have changed between the page load and this connection.
      send("retry: 2000\ndata: changed\n\n");
      await isOver().then((over) => over && end(), end);
    },
  });
  return new Response(body, { headers: HEADERS });
}
