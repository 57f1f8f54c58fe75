import { ApiProblem } from "~/api/problem-answer.server";
import { apiRoute, type ApiRequest } from "~/api/route.server";

export const loader = apiRoute({ DELETE: { scope: "runs:write", needs: "nothing", answer: end } });
export const action = loader;

/** Ends a schedule; its runs stay. */
async function end({ params, user, context }: ApiRequest): Promise<Response> {
  if (!(await context.services.scheduleLists.end(user.id, params.id ?? ""))) throw new ApiProblem("not-found");
  return new Response(null, { status: 204, headers: { "Cache-Control": "private, no-store" } });
}
