import { z } from "zod";
import { INTERVALS } from "./schedule-calendar";

/** The form that has a run repeated; messages are the names of problems (`history:schedule.problem.…`). */
export const scheduleSchema = z.object({
  every: z.enum(INTERVALS, { error: "every_missing" }),
  // A box that is not ticked sends nothing.
  mails: z
    .literal("yes")
    .optional()
    .catch(undefined)
    .transform((value) => value === "yes"),
});
