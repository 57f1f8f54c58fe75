import type { LoaderFunctionArgs } from "@remix-run/node";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { runEventStream } from "~/runs/event-stream.server";
import { isOver } from "~/runs/run";

/** Event stream of a user's run. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const { runs, events } = context.services;
  const id = params.id ?? "";
  const user = await context.visitor.user();
  const find = () => (user ? runs.ofOwner(id, user.id) : undefined);
  // The only status after which browsers do not reconnect.
  if (!(await find())) return new Response(null, { status: 204 });
  return runEventStream(events, id, async () => isOver(await find()), request);
}

export const action = methodNotAllowed;
