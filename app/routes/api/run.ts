import { answerJson, apiRoute, type ApiRequest } from "~/api/route.server";
import { ApiProblem } from "~/api/problem-answer.server";
import { runDocument } from "~/api/run-document.server";

export const loader = apiRoute({
  GET: { scope: "runs:read", answer: show },
  DELETE: { scope: "runs:write", answer: remove },
});
export const action = loader;

async function show({ params, user, context }: ApiRequest): Promise<Response> {
  const run = await context.services.runs.ofOwner(params.id ?? "", user.id);
  if (!run) throw new ApiProblem("not-found");
  return answerJson(runDocument(run));
}

/** Deletes a run. Grace period: `/runs` can restore it for some minutes. */
async function remove({ params, user, context }: ApiRequest): Promise<Response> {
  const removed = await context.services.runLists.remove(user.id, [params.id ?? ""]);
  if (removed === 0) throw new ApiProblem("not-found");
  return new Response(null, { status: 204, headers: { "Cache-Control": "private, no-store" } });
}
