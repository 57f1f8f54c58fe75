import { readJson } from "~/api/body.server";
import { ApiProblem } from "~/api/problem-answer.server";
import { answerJson, apiRoute, type ApiRequest } from "~/api/route.server";
import { parseRunBody } from "~/api/run-body.server";
import { scheduleDocument } from "~/api/schedule-document.server";
import { scheduleBodySchema } from "~/api/schemas.server";
import { CHECKED_VERSION } from "~/billing/plans/plan-entitlement";
import type { PlanPause } from "~/monitoring/plan-pause";
import type { ListedSchedule } from "~/monitoring/schedule-list.server";

export const loader = apiRoute({
  // Without a purchase, only finding and deleting stored credentials is possible.
  GET: { scope: "runs:read", needs: "nothing", answer: list },
  POST: { scope: "runs:write", needs: "nothing", answer: set },
});
export const action = loader;

async function list({ user, context }: ApiRequest): Promise<Response> {
  return answerJson({ schedules: (await context.services.scheduleLists.list(user.id)).map(scheduleDocument) });
}

/** Creates or changes the schedule of an address and scope. Idempotent: an equal request leaves one schedule. */
async function set(api: ApiRequest): Promise<Response> {
  const { request, user, context } = api;
  const { schedules, scheduleLists, entitlements } = context.services;
  const sent = await readJson(request);
  const body = await parseRunBody(api, scheduleBodySchema, sent);
  const { url, scope, level, maxPages = null, waitMs = null, waitFor = null, ...rhythm } = body;
  const run = { url, scope, standard: { version: CHECKED_VERSION, level }, maxPages, waitMs, waitFor };
  const known = await scheduleLists.find(user.id, run);
  const excluded = await schedules.exclusionFor(user.id, run);
  if (excluded) {
    const onlyForgets = known !== undefined && body.access === null && (await namesNothingNew(known));
    if (!onlyForgets) throw new ApiProblem(await problemOf(excluded));
    await schedules.forgetAccess(user.id, run);
    return answerSchedule(200);
  }
  // A retry does not turn on mails that a person has turned off.
  await schedules.set(user.id, run, { ...rhythm, mails: rhythm.mails ?? known?.mails ?? true });
  return answerSchedule(known ? 200 : 201);

  async function problemOf(why: PlanPause) {
    if (why === "level") return "level-not-included";
    return (await entitlements.isEntitled(user.id)) ? "nothing-bought" : "not-entitled";
  }

  /** Whether all values of the request, except the credentials, are those of the schedule. Missing values stay unchanged. */
  async function namesNothingNew({ id, every, hour, mails }: ListedSchedule): Promise<boolean> {
    const repeated = await scheduleLists.runOf(user.id, id);
    const stored = { ...repeated, level: repeated?.standard.level, every, hour, mails };
    const named = Object.keys(sent as object);
    return (["level", "every", "hour", "mails", "maxPages", "waitMs", "waitFor"] as const).every((name) => !named.includes(name) || (body[name] ?? null) === stored[name]);
  }

  async function answerSchedule(status: number): Promise<Response> {
    const schedule = await scheduleLists.find(user.id, run);
    // Another request has ended it meanwhile.
    if (!schedule) throw new ApiProblem("not-found");
    return answerJson(scheduleDocument(schedule), { status });
  }
}
