import { z } from "zod";
import { INTERVALS } from "./schedule-calendar";

/** The form for the schedule of a run; messages are the names of problems (`history:schedule.problem.…`). */
export const scheduleSchema = z.object({
  every: z.enum(INTERVALS, { error: "every_missing" }),
  // An unchecked checkbox sends nothing.
  mails: z
    .literal("yes")
    .optional()
    .catch(undefined)
    .transform((value) => value === "yes"),
});
