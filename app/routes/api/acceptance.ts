import { ApiProblem } from "~/api/problem-answer.server";
import { apiRoute, type ApiRequest } from "~/api/route.server";

export const loader = apiRoute({ DELETE: { scope: "runs:write", answer: end } });
export const action = loader;

/** Ends an acceptance; it stays listed. An acceptance that has already ended is no error. */
async function end({ params, user, context }: ApiRequest): Promise<Response> {
  const { acceptances } = context.services;
  const id = params.id ?? "";
  if (!(await acceptances.end(user.id, id)) && !(await acceptances.has(user.id, id))) throw new ApiProblem("not-found");
  return new Response(null, { status: 204, headers: { "Cache-Control": "private, no-store" } });
}
