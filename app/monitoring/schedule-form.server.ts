import { z } from "zod";
import { accessFields, takeAccess } from "~/runs/access-form.server";
import { HOURS, INTERVALS } from "./schedule-calendar";

// An unchecked checkbox sends nothing.
const checkbox = z
  .literal("yes")
  .optional()
  .catch(undefined)
  .transform((value) => value === "yes");

/** Form for the schedule of a run; messages are the names of problems (`history:schedule.problem.…`, `runs:problem.…`). */
export const scheduleSchema = z
  .object({
    every: z.enum(INTERVALS, { error: "every_missing" }),
    /** Null: the time of day at which the schedule was set. */
    hour: z
      .string()
      .optional()
      .transform((typed) => (typed === undefined || typed === "" ? null : Number(typed)))
      .refine((hour) => hour === null || HOURS.includes(hour), "hour_unknown"),
    mails: checkbox,
    forgetAccess: checkbox,
    ...accessFields,
  })
  .transform(({ accessUser, accessPassword, accessCookie, forgetAccess, ...choice }, context) => {
    const typed = takeAccess({ accessUser, accessPassword, accessCookie }, context);
    const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    // A refused form loses its password, and would delete the stored one.
    if (accessUser && !accessPassword) refuse("accessPassword", "access_password_missing");
    if (typed && forgetAccess) refuse(typed.kind === "cookie" ? "accessCookie" : "accessUser", "forget_or_replace");
    return { ...choice, access: typed ?? (forgetAccess ? null : undefined) };
  });
