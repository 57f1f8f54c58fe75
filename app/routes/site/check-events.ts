import type { LoaderFunctionArgs } from "@remix-run/node";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { runEventStream } from "~/runs/event-stream.server";
import { isOver } from "~/runs/run";

/** Event stream of a free check. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const { runs, events } = context.services;
  const id = params.id ?? "";
  // The only status after which browsers do not reconnect.
  if (!(await runs.find(id, null))) return new Response(null, { status: 204 });
  return runEventStream(events, id, async () => isOver(await runs.find(id, null)), request);
}

export const action = methodNotAllowed;
