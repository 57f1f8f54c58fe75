import { redirect, type ActionFunctionArgs } from "@remix-run/node";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { textField } from "~/platform/forms/read-form";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { isAccessProblem } from "~/runs/access-form.server";
import { PLAN_STEP } from "./plan-pause";
import { scheduleSchema } from "./schedule-form.server";
import type { ScheduledRun } from "./schedule.server";

/**
 * Answers the form of a schedule: creates, changes or ends it, or deletes its stored access.
 * @param run whose settings it gets
 * @param path of the page with the form
 * @param afterEnd the page that is shown when it has ended
 */
export async function setSchedule({ request, context }: Pick<ActionFunctionArgs, "request" | "context">, owner: string, run: ScheduledRun, form: FormData, path: string, afterEnd = path) {
  const { services, visitor } = context;
  const { schedules } = services;
  if (textField(form, "do") === "end") {
    await schedules.end(owner, run);
    await visitor.flash({ text: "scheduleEnded", kind: "done" });
    return redirect(afterEnd, 303);
  }
  if (textField(form, "do") === "forgetAccess") return forgetAccess();
  const texts = textsOf(await localeOf(request));
  const describe = (problem: string) =>
    isAccessProblem(problem)
      ? texts.getFixedT(null, "runs")(`problem.${problem}`)
      : texts.getFixedT(null, "history")(`schedule.problem.${problem as "every_missing"}`);
  const sent = await parseSentForm(request, context, form, scheduleSchema, describe);
  if (!sent.value) return sent.refuse();
  const known = await schedules.of(owner, run);
  const excluded = await schedules.exclusionFor(owner, run);
  // Of a form that was shown before the plan changed: credentials can be deleted under any plan.
  if (excluded && known?.hasAccess && sent.value.access === null) return forgetAccess();
  if (excluded) return sent.refuse({ [PLAN_STEP]: excluded === "level" ? "level_not_included" : excluded });
  if (known?.paused === "access" && sent.value.access === undefined) return sent.refuse({ accessUser: "access_lost" });
  await schedules.set(owner, run, sent.value);
  // The page says what keeps it on hold.
  if ((await schedules.of(owner, run))?.paused === null) await visitor.flash({ text: "scheduleSet", kind: "done" });
  return redirect(path, 303);

  async function forgetAccess() {
    await schedules.forgetAccess(owner, run);
    await visitor.flash({ text: "accessForgotten", kind: "done" });
    return redirect(path, 303);
  }
}
