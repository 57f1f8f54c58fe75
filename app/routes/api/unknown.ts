import type { LoaderFunctionArgs } from "@remix-run/node";
import { answerProblem, ApiProblem } from "~/api/problem-answer.server";
import { PROBLEM_KINDS, PROBLEMS } from "~/api/problem-kinds";

const METHODS = "GET, HEAD, POST, DELETE";

/** All other addresses of the API, and API requests that cannot be handled. */
export function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const status = context.refused?.status ?? 404;
  const kind = PROBLEM_KINDS.find((each) => PROBLEMS[each] === status) ?? "bad-request";
  const headers = kind === "method-not-allowed" ? { Allow: METHODS } : undefined;
  return answerProblem(new ApiProblem(kind, { headers }), request, context);
}

export const action = loader;
