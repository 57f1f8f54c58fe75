import type { LoaderFunctionArgs } from "@remix-run/node";
import { isOver } from "~/models/run.server";

// Proxies close a connection that is silent for a minute.
const KEEP_ALIVE_MS = 25_000;

/** Server-sent events that say only "something changed"; the page then asks its loader again. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const { runs, events } = context.services;
  const id = params.id ?? "";
  const run = await runs.find(id, null);
  // The one status after which browsers do not connect again.
  if (!run) return new Response(null, { status: 204 });

  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string) => controller.enqueue(encoder.encode(text));
      // What changed between the page and this connection would be missed otherwise.
      send("retry: 2000\ndata: changed\n\n");
      if (isOver(run)) return controller.close();

      const unsubscribe = events.subscribe(id, () => void tell());
      const keepAlive = setInterval(() => send(":\n\n"), KEEP_ALIVE_MS);
      let open = true;
      const end = () => {
        if (!open) return;
        open = false;
        unsubscribe();
        clearInterval(keepAlive);
        controller.close();
      };
      const tell = async () => {
        const over = isOver(await runs.find(id, null));
        if (open) send("data: changed\n\n");
        if (over) end();
      };
      request.signal.addEventListener("abort", end);
    },
  });
  return new Response(body, {
    headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store, no-transform" },
  });
}
