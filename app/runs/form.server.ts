import { z } from "zod";
import { LEVELS, type Standard } from "~/scan/types";
import { isSelector } from "~/findings/css-selector";
import { accessFields, takeAccess } from "./access-form.server";
import { addressField } from "./check-form.server";
import type { Refuses } from "~/platform/web/start-address";

const MAX_PATHS = 50;
const MAX_PATH = 500;

/**
 * Schema of the form that starts a run. Messages are the names of problems (`runs:problem.…`, and those of an address).
 * @param mostPages maximum pages in this installation
 * @param mostWaitMs maximum wait before a page's analysis
 */
export function runFormSchema(refuses: Refuses, mostPages: number, mostWaitMs: number) {
  return z
    .object({
      url: addressField(refuses),
      scope: z.enum(["page", "site"], "scope_unknown").default("page"),
      level: z.enum(LEVELS, "level_unknown").default("AA"),
      maxPages: z
        .string()
        .trim()
        .transform((typed) => (typed === "" ? null : Number(typed)))
        .refine((pages) => pages === null || (Number.isInteger(pages) && pages >= 1 && pages <= mostPages), "pages_out_of_range")
        .optional(),
      leftOut: z.string().transform(pathsOf).optional(),
      waitMs: z
        .string()
        .trim()
        .transform((typed) => (typed === "" ? null : /^\d+$/.test(typed) ? Number(typed) : NaN))
        .refine((ms) => ms === null || (ms >= 0 && ms <= mostWaitMs), "wait_out_of_range")
        // 0 becomes null: no wait is the default.
        .transform((ms) => ms || null)
        .optional(),
      waitFor: z
        .string()
        .trim()
        .refine((typed) => typed === "" || isSelector(typed), "no_selector")
        .transform((typed) => typed || null)
        .optional(),
      // An unchecked checkbox sends nothing.
      mail: z.literal("yes").optional().catch(undefined),
      ...accessFields,
    })
    .transform(({ accessUser, accessPassword, accessCookie, mail, ...request }, context) => {
      const access = takeAccess({ accessUser, accessPassword, accessCookie }, context);
      // A page limit has no meaning for a single page.
      if (request.scope === "page") request.maxPages = null;
      // Mail wish only for a site: a single page takes seconds.
      return { ...request, mailWhenDone: request.scope === "site" ? mail === "yes" : undefined, access };
    });
}

interface RunSettings {
  url: string;
  scope: "page" | "site";
  standard: Standard;
  maxPages: number | null;
  excludedPaths: string[];
  waitMs: number | null;
  waitFor: string | null;
}

/** Form values of a run. Without the access data of a protected site, which are deleted at the end of the run. */
export function typedForm({ url, scope, standard, maxPages, excludedPaths, waitMs, waitFor }: RunSettings): Record<string, string> {
  const waits = { waitMs: String(waitMs ?? ""), waitFor: waitFor ?? "" };
  return { url, scope, level: standard.level, maxPages: String(maxPages ?? ""), leftOut: excludedPaths.join("\n"), ...waits };
}

/** Paths, one per line; a full address is reduced to its path. */
function pathsOf(typed: string, context: z.RefinementCtx): string[] {
  const paths = typed
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => (/^https?:/i.test(line) && URL.canParse(line) ? new URL(line).pathname : line));
  if (paths.length > MAX_PATHS || paths.some((path) => path.length > MAX_PATH)) {
    context.addIssue({ code: "custom", message: "paths_too_many" });
  } else if (paths.some((path) => !path.startsWith("/"))) {
    context.addIssue({ code: "custom", message: "path_without_slash" });
  }
  return [...new Set(paths)];
}
