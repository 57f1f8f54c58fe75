import { z } from "zod";
import { LEVELS } from "~/scan/types";
import { addressField } from "~/runs/check-form.server";
import { isSelector } from "~/findings/css-selector";
import { ApiProblem, type EntryProblem } from "./problem-answer.server";
import { RUN_STATUSES } from "~/runs/run-view";
import { ACCEPTANCE_KINDS, ACCEPTANCE_SCOPES } from "~/findings/acceptance/acceptance";
import { lastDayField, reasonField } from "~/reports/acceptance/form.server";
import { COOKIE, isUserName, LONGEST_SECRET } from "~/runs/access-form.server";
import { INTERVALS } from "~/monitoring/schedule-calendar";
import type { Refuses } from "~/platform/web/start-address";

const DEFAULT_LIMIT = 20;
export const MOST_LISTED = 100;
const LONGEST_SEARCH = 200;

// Messages are the names of problems; `tokens:entry.…` has their texts. A URL has its own problems.

/** Limits of this installation: number of pages, and wait for a page in ms. */
interface Limits {
  pages: number;
  waitMs: number;
}

export type RunSchema<Schema> = (refuses: Refuses, most: Limits) => Schema;

const runEntries = (refuses: Refuses, most: Limits) => ({
  url: z.string("not_an_address").optional().pipe(addressField(refuses)),
  scope: z.enum(["page", "site"], "scope").default("page"),
  level: z.enum(LEVELS, "level").default("AA"),
  maxPages: z.int("max_pages").min(1, "max_pages").max(most.pages, "max_pages").optional(),
  waitMs: z.int("wait_ms").min(0, "wait_ms").max(most.waitMs, "wait_ms").transform((ms) => ms || null).optional(),
  waitFor: z.string("wait_for").trim().refine(isSelector, "wait_for").optional(),
});

const limitsWholeSites = ({ scope, maxPages }: { scope: "page" | "site"; maxPages?: number }) => scope === "site" || maxPages === undefined;
const ONLY_OF_SITE = { path: ["maxPages"], message: "max_pages_of_site" };

/** Schema for the body of a scan request. */
export function runBodySchema(refuses: Refuses, most: Limits) {
  return z.strictObject(runEntries(refuses, most), "no_object").refine(limitsWholeSites, ONLY_OF_SITE);
}

const secret = z.string("access").max(LONGEST_SECRET, "access");
const accessEntry = z.discriminatedUnion(
  "kind",
  [z.strictObject({ kind: z.literal("basic"), user: secret.trim().min(1, "access").refine(isUserName, "access_user_colon"), password: secret }), z.strictObject({ kind: z.literal("cookie"), cookie: secret.trim().regex(COOKIE, "access") })],
  "access",
);

/** Schema for the body of a schedule request. */
export function scheduleBodySchema(refuses: Refuses, most: Limits) {
  const rhythm = {
    every: z.enum(INTERVALS, "every"),
    hour: z.int("hour").min(0, "hour").max(23, "hour").optional(),
    mails: z.boolean("mails").optional(),
    access: accessEntry.nullish(),
  };
  return z.strictObject({ ...runEntries(refuses, most), ...rhythm }, "no_object").refine(limitsWholeSites, ONLY_OF_SITE);
}

export type RunBody = z.output<ReturnType<typeof runBodySchema>>;

/** Schema for the body of an acceptance. @param today date such as `2026-11-26` */
export function acceptanceBodySchema(today: string) {
  return z
    .strictObject(
      {
        scope: z.enum(ACCEPTANCE_SCOPES, "accept_scope"),
        ruleId: z.string("rule_id").max(LONGEST_SEARCH, "rule_id"),
        pageUrl: z.string("page_url").optional(),
        target: z.array(z.union([z.string(), z.array(z.string())], "target"), "target").optional(),
        kind: z.enum(ACCEPTANCE_KINDS, "kind"),
        lastDay: lastDayField(today, "last_day").nullish(),
        reason: reasonField("reason"),
      },
      "no_object",
    )
    .superRefine(({ scope, pageUrl, target, kind, lastDay }, context) => {
      const refuse = (name: string, message: string) => context.addIssue({ code: "custom", path: [name], message });
      if (scope !== "rule" && pageUrl === undefined) refuse("pageUrl", "page_url");
      if (scope !== "rule" && target === undefined) refuse("target", "target");
      if (kind !== "not_a_barrier" && !lastDay) refuse("lastDay", "last_day");
    });
}

/** Schema for the query of the list of runs. */
export const runListSchema = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, "limit")
    .transform(Number)
    .pipe(z.number().min(1, "limit").max(MOST_LISTED, "limit"))
    .default(DEFAULT_LIMIT),
  // Strict cursor: with a wrong value, pagination would start again at the newest run, and a client would never reach the end.
  before: z
    .string()
    .regex(/^\d{1,15}\.[\w-]+$/, "before")
    .optional(),
  status: z.enum(RUN_STATUSES, "status").optional(),
  text: z.string().max(LONGEST_SEARCH, "text").optional(),
});

/** @throws {ApiProblem} 422, with a problem for each wrong entry */
export function parseEntries<Schema extends z.ZodType>(
  schema: Schema,
  sent: unknown,
  where: "body" | "query",
  values: Record<string, string | number> = {},
): z.output<Schema> {
  const parsed = schema.safeParse(sent);
  if (parsed.success) return parsed.data;
  throw new ApiProblem("invalid", { entries: entriesOf(parsed.error.issues, where), values });
}

/** First problem of each entry. */
function entriesOf(issues: z.core.$ZodIssue[], where: "body" | "query"): EntryProblem[] {
  const entries = new Map<string, EntryProblem>();
  const escaped = (part: PropertyKey) => (where === "body" ? String(part).replaceAll("~", "~0").replaceAll("/", "~1") : String(part));
  const add = (path: PropertyKey[], problem: string) => {
    const name = path.map(escaped).join("/");
    if (!entries.has(name)) entries.set(name, { in: where, name, problem });
  };
  for (const issue of issues) {
    if (issue.code === "unrecognized_keys") for (const key of issue.keys) add([...issue.path, key], "unknown");
    else add(issue.path, issue.message);
  }
  return [...entries.values()];
}
