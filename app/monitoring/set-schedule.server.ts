import { redirect, type ActionFunctionArgs } from "@remix-run/node";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { textField } from "~/platform/forms/read-form";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { isAccessProblem } from "~/runs/access-form.server";
import { PLAN_STEP } from "./plan-pause";
import { scheduleSchema } from "./schedule-form.server";
import type { ScheduledRun } from "./schedule.server";

/**
 * Answers the form of a schedule: creates, changes or ends it, or deletes its stored credentials. A form for another run than
 * `run` is outdated (its run is no longer the last one of the website): it can only end the schedule of its own run.
 * @param run source of the settings
 * @param path of the page with the form
 * @param afterEnd next page after the schedule has ended
 */
export async function setSchedule({ request, context }: Pick<ActionFunctionArgs, "request" | "context">, owner: string, run: ScheduledRun, form: FormData, path: string, afterEnd = path) {
  const { services, visitor } = context;
  const { schedules } = services;
  const shown = shownRun(form) ?? run;
  const isOther = shown.url !== run.url || shown.scope !== run.scope;
  if (textField(form, "do") === "end") {
    if (await schedules.end(owner, shown)) await visitor.flash({ text: "scheduleEnded", kind: "done" });
    return redirect(afterEnd, 303);
  }
  if (textField(form, "do") === "forgetAccess") return forgetAccess();
  const texts = textsOf(await localeOf(request));
  const describe = (problem: string) =>
    isAccessProblem(problem)
      ? texts.getFixedT(null, "runs")(`problem.${problem}`)
      : texts.getFixedT(null, "history")(`schedule.problem.${problem as "other_site"}`, { address: run.url });
  const sent = await parseSentForm(request, context, form, scheduleSchema, describe);
  // The next page shows the other run: without a message, the next attempt would change that run's schedule.
  const other = isOther ? { every: `other_${run.scope}` } : {};
  if (!sent.value) return sent.refuse(other);
  const known = await schedules.of(owner, run);
  const excluded = await schedules.exclusionFor(owner, run);
  // The plan changed after the form was shown: credentials can be deleted under any plan.
  if (excluded && !isOther && known?.hasAccess && sent.value.access === null) return forgetAccess();
  if (excluded) return sent.refuse({ [PLAN_STEP]: excluded === "level" ? "level_not_included" : excluded });
  if (isOther) return sent.refuse(other);
  if (known?.paused === "access" && sent.value.access === undefined) return sent.refuse({ accessUser: "access_lost" });
  await schedules.set(owner, run, sent.value);
  // The page shows the reason if the schedule is on hold.
  if ((await schedules.of(owner, run))?.paused === null) await visitor.flash({ text: "scheduleSet", kind: "done" });
  return redirect(path, 303);

  async function forgetAccess() {
    if (await schedules.forgetAccess(owner, shown)) await visitor.flash({ text: "accessForgotten", kind: "done" });
    return redirect(path, 303);
  }
}

/** Run of the page with the form; undefined if the form does not name one. */
function shownRun(form: FormData): Pick<ScheduledRun, "url" | "scope"> | undefined {
  const [url, scope] = [textField(form, "url"), textField(form, "scope")];
  return url !== "" && (scope === "page" || scope === "site") ? { url, scope } : undefined;
}
