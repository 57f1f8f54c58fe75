import { readJson } from "~/api/body.server";
import { idempotently } from "~/api/idempotent-start.server";
import { answerJson, apiRoute, rateLimited, type ApiRequest } from "~/api/route.server";
import { MOST_LISTED, parseEntries, runListSchema, runBodySchema, type RunBody } from "~/api/schemas.server";
import { ApiProblem } from "~/api/problem-answer.server";
import type { ProblemKind } from "~/api/problem-kinds";
import type { Refusal, SubmitOptions } from "~/runs/scan-request.server";
import { parseRunBody } from "~/api/run-body.server";
import { apiPath, runDocument } from "~/api/run-document.server";
import type { Run } from "~/runs/run";

const PATH = "/api/v1/runs";

const REFUSALS: Record<Refusal, ProblemKind> = {
  nothing_bought: "nothing-bought",
  trial_used: "trial-used",
  site_is_paid: "site-is-paid",
  level: "level-not-included",
  full: "no-room",
  waiting: "too-many-waiting",
  no_space: "no-disk-space",
  unconfirmed: "address-not-confirmed",
};

export const loader = apiRoute({
  GET: { scope: "runs:read", answer: list },
  POST: { scope: "runs:write", needs: "entitlement", answer: start },
});
export const action = loader;

/** Runs, newest first, with pagination. */
async function list({ url, user, context }: ApiRequest): Promise<Response> {
  const query = parseEntries(runListSchema, Object.fromEntries(url.searchParams), "query", { max: MOST_LISTED });
  const { runs, next } = await context.services.runLists.list(user.id, query);
  const document = { runs: runs.map(runDocument), next };
  if (next === null) return answerJson(document);
  const following = new URLSearchParams(url.searchParams);
  following.set("before", next);
  return answerJson(document, { headers: { Link: `<${PATH}?${following.toString()}>; rel="next"` } });
}

async function start(api: ApiRequest): Promise<Response> {
  const { tokenId, context } = api;
  const body = await parseRunBody(api, runBodySchema, await readJson(api.request));
  const { run, replayed } = await idempotently(api, body, async (together) => {
    const attempt = await context.services.apiLimits.starts.take(tokenId);
    if (!attempt.granted) throw rateLimited(attempt);
    return submit(api, body, together);
  });
  const headers = { Location: apiPath(run.id), ...(replayed ? { "Idempotency-Replayed": "true" } : {}) };
  return answerJson(runDocument(run), { status: 201, headers });
}

function refusal(why: Refusal, limit: number): ApiProblem {
  const seconds = { waiting: "60", no_space: "600" }[why as string];
  const headers = seconds === undefined ? undefined : { "Retry-After": seconds };
  return new ApiProblem(REFUSALS[why], { headers, values: { limit } });
}

/** @throws {ApiProblem} for a run that is not covered: no scan starts, and none is counted */
async function submit({ user, context }: ApiRequest, body: RunBody, together?: SubmitOptions["together"]): Promise<Run> {
  const { scanRequests, billing } = context.services;
  const submitted = await scanRequests.submit(user.id, body, { together });
  if (submitted.kind === "refused") throw refusal(submitted.why, (await scanRequests.limitsOf(user.id)).waiting);
  if (submitted.registered) billing?.writeUrlsSoon();
  return submitted.run;
}
