import { z } from "zod";
import { accessFields, takeAccess } from "~/runs/access-form";
import { INTERVALS } from "./schedule-calendar";

export const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

// An unchecked checkbox sends nothing.
const checkbox = z
  .literal("yes")
  .optional()
  .catch(undefined)
  .transform((value) => value === "yes");

/** The form for the schedule of a run; messages are the names of problems (`history:schedule.problem.…`, `runs:problem.…`). */
export const scheduleSchema = z
  .object({
    every: z.enum(INTERVALS, { error: "every_missing" }),
    /** Null: at the time of day at which it was set. */
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
    return { ...choice, access: typed ?? (forgetAccess ? null : undefined) };
  });
