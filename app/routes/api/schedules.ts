import { readJson } from "~/api/body.server";
import { ApiProblem } from "~/api/problem-answer.server";
import { answerJson, apiRoute, type ApiRequest } from "~/api/route.server";
import { scheduleDocument } from "~/api/schedule-document.server";
import { parseEntries, scheduleBodySchema } from "~/api/schemas.server";
import { CHECKED_VERSION } from "~/billing/plans/plan-entitlement";
import { mostWaitMs } from "~/runs/wait-options";

export const loader = apiRoute({
  // Without a purchase stored access can be found and deleted, and nothing more.
  GET: { scope: "runs:read", needs: "nothing", answer: list },
  POST: { scope: "runs:write", needs: "nothing", answer: set },
});
export const action = loader;

async function list({ user, context }: ApiRequest): Promise<Response> {
  return answerJson({ schedules: (await context.services.scheduleLists.list(user.id)).map(scheduleDocument) });
}

/** Creates the schedule of an address and scope, or changes it: the same request, sent twice, leaves one schedule. */
async function set({ request, user, context }: ApiRequest): Promise<Response> {
  const { refusesAddress, env, schedules, scheduleLists, scanRequests, entitlements } = context.services;
  const most = { pages: env.SCAN_MAX_PAGES, waitMs: mostWaitMs(env.SCAN_PAGE_SECONDS) };
  const body = parseEntries(scheduleBodySchema(refusesAddress, most), await readJson(request), "body", { max: most.pages, mostWait: most.waitMs });
  const { url, scope, level, maxPages = null, waitMs = null, waitFor = null, ...rhythm } = body;
  const known = (await schedules.of(user.id, { url, scope })) !== undefined;
  if (!(await schedules.isEntitled(user.id, { url }))) {
    if (!known || body.access !== null) throw new ApiProblem((await entitlements.isEntitled(user.id)) ? "nothing-bought" : "not-entitled");
    await schedules.forgetAccess(user.id, { url, scope });
    return answerSchedule(200);
  }
  if (level.length > (await scanRequests.entitlementOf(user.id)).level.length) throw new ApiProblem("level-not-included");
  await schedules.set(user.id, { url, scope, standard: { version: CHECKED_VERSION, level }, maxPages, waitMs, waitFor }, rhythm);
  return answerSchedule(known ? 200 : 201);

  async function answerSchedule(status: number): Promise<Response> {
    const schedule = (await scheduleLists.list(user.id)).find((each) => each.url === url && each.scope === scope);
    // Ended meanwhile by another request.
    if (!schedule) throw new ApiProblem("not-found");
    return answerJson(scheduleDocument(schedule), { status });
  }
}
