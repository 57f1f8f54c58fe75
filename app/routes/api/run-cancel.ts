import { answerJson, apiRoute, type ApiRequest } from "~/api/route.server";
import { ApiProblem } from "~/api/problem-answer.server";
import { runDocument } from "~/api/run-document.server";

export const loader = apiRoute({ POST: { scope: "runs:write", answer: cancel } });
export const action = loader;

/** Cancels a run; its results stay. A run that is already canceled is no error. */
async function cancel({ params, user, context }: ApiRequest): Promise<Response> {
  const { runs, events } = context.services;
  const id = params.id ?? "";
  const canceled = await runs.cancel(id, user.id);
  if (canceled) events.notify(id);
  const run = await runs.ofOwner(id, user.id);
  if (!run) throw new ApiProblem("not-found");
  if (run.status !== "canceled") throw new ApiProblem("run-is-over", { values: { status: run.status } });
  return answerJson(runDocument(run));
}
