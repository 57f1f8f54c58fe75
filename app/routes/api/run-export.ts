import { answerExport } from "~/reports/exports/answer.server";
import { apiRoute, type ApiRequest } from "~/api/route.server";
import { exportFormatOf } from "~/reports/exports/formats";
import { localeOf } from "~/platform/i18n/i18n.server";
import { ApiProblem } from "~/api/problem-answer.server";
import { isOver } from "~/runs/run";

const RETRY_SECONDS = 30;

export const loader = apiRoute({ GET: { scope: "runs:read", answer: download } });
export const action = loader;

/** Same files as `/run/{id}/export.…`, but tables are for programs: equal in every language. */
async function download({ request, url, params, user, context }: ApiRequest): Promise<Response> {
  const { services } = context;
  const format = exportFormatOf(url.pathname);
  const run = await services.runs.ofOwner(params.id ?? "", user.id);
  if (!format || !run) throw new ApiProblem("not-found");
  if (!isOver(run)) throw new ApiProblem("run-not-over");
  if (!(await services.scanRequests.isUnlocked(user.id, run))) throw new ApiProblem("report-locked");
  const answer = await answerExport(services, run, { format, locale: await localeOf(request), forProgram: true, signal: request.signal, drained: context.drained });
  if (!answer) throw new ApiProblem("busy", { headers: { "Retry-After": String(RETRY_SECONDS) } });
  return answer;
}
