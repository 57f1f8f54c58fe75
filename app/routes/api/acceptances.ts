import { acceptanceDocument } from "~/api/acceptance-document.server";
import { readJson } from "~/api/body.server";
import { ApiProblem } from "~/api/problem-answer.server";
import { answerJson, apiRoute, type ApiRequest, type OwnRun } from "~/api/route.server";
import { acceptanceBodySchema, parseEntries } from "~/api/schemas.server";
import type { Acceptance } from "~/findings/acceptance/acceptance";
import type { Accepted } from "~/findings/acceptance/acceptances.server";
import { calendarDay } from "~/platform/i18n/calendar-date";
import { withoutWithheld } from "~/reports/report-entitlement.server";
import { isOver } from "~/runs/run";

export const loader = apiRoute({
  GET: { scope: "runs:read", answer: list },
  POST: { scope: "runs:write", answer: accept },
});
export const action = loader;

/** All acceptances for the website of the run, also ended ones, the latest first. */
async function list(api: ApiRequest): Promise<Response> {
  const run = await readableRun(api);
  const { acceptances } = api.context.services;
  const { extent } = await acceptances.ofRun(run.id);
  const all = await acceptances.ofWebsite(api.user.id, run);
  const withheld = await api.context.services.reportEntitlements.withheld(run);
  return answerJson({ acceptances: all.map((each) => acceptanceDocument(withoutWithheld(each, withheld), extent.get(each.id))) });
}

/** Accepts violations of the run. Idempotent: an equal request leaves one acceptance. */
async function accept(api: ApiRequest): Promise<Response> {
  const run = await readableRun(api);
  const { services } = api.context;
  const { acceptances } = services;
  const body = parseEntries(acceptanceBodySchema(calendarDay(Date.now())), await readJson(api.request), "body");
  const accepted = await acceptedOf(api, run, body);
  const terms = { kind: body.kind, lastDay: body.lastDay ?? null, reason: body.reason };
  const { id, isNew } = await acceptances.accept(api.user.id, run, accepted, terms);
  const acceptance = (await acceptances.ofWebsite(api.user.id, run)).find((each: Acceptance) => each.id === id);
  if (!acceptance) throw new ApiProblem("not-found");
  const { extent } = await acceptances.ofRun(run.id);
  return answerJson(acceptanceDocument(acceptance, extent.get(id)), { status: isNew ? 201 : 200 });
}

/** @throws {ApiProblem} the same errors as an export */
async function readableRun({ params, user, context }: ApiRequest): Promise<OwnRun> {
  const { runs, scanRequests } = context.services;
  const run = await runs.ofOwner(params.id ?? "", user.id);
  if (!run) throw new ApiProblem("not-found");
  if (!isOver(run)) throw new ApiProblem("run-not-over");
  if (!(await scanRequests.isUnlocked(user.id, run))) throw new ApiProblem("report-locked");
  return run;
}

/** @throws {ApiProblem} 422 if the run has no such violation, 402 if the plan withholds it */
async function acceptedOf({ context }: ApiRequest, run: OwnRun, body: Pick<Accepted, "scope"> & { ruleId: string; pageUrl?: string; target?: (string | string[])[] }): Promise<Accepted> {
  const { reports, reportEntitlements } = context.services;
  const { scope, ruleId, pageUrl, target } = body;
  const rule = (await reports.allRules(run.id)).find((each) => each.category === "violations" && each.ruleId === ruleId);
  if (!rule) throw new ApiProblem("invalid", { entries: [{ in: "body", name: "ruleId", problem: "rule_id" }] });
  if ((await reportEntitlements.withheld(run)).has(ruleId)) throw new ApiProblem("report-locked");
  if (scope === "rule") return { scope, rule, element: null };
  const element = await reports.violationAt(run.id, { ruleId, pageUrl: pageUrl ?? "", target: target ?? [] });
  if (!element) throw new ApiProblem("invalid", { entries: [{ in: "body", name: "target", problem: "target" }] });
  return { scope, rule, element };
}
