import type { z } from "zod";
import { mostWaitMs } from "~/runs/wait-options";
import type { ApiRequest } from "./route.server";
import { parseEntries, type RunSchema } from "./schemas.server";

/** Parses the body for a run or a schedule, within the limits of the user. @throws {ApiProblem} as `parseEntries` */
export async function parseRunBody<Schema extends z.ZodType>({ user, context }: Pick<ApiRequest, "user" | "context">, schemaOf: RunSchema<Schema>, sent: unknown): Promise<z.output<Schema>> {
  const { refusesAddress, scanRequests, env } = context.services;
  const most = { pages: (await scanRequests.limitsOf(user.id)).pages, waitMs: mostWaitMs(env.SCAN_PAGE_SECONDS) };
  return parseEntries(schemaOf(refusesAddress, most), sent, "body", { max: most.pages, mostWait: most.waitMs });
}
