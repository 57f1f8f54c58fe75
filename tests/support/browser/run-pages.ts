import type { Db } from "db/schema";
import type { RunStatus } from "db/tables/runs";
import { expect, vi } from "vitest";
import { minutes } from "../patience";
import type { FormBrowser } from "./form-browser";

/** Maximum time of a scan. */
export const WITHIN = { timeout: minutes(1.5), interval: 100 };

/** Requests a run by the form, also while another one is not over; one page by default. @returns its path */
export async function requestScan(browser: FormBrowser, fields: Record<string, string>): Promise<string> {
  const answer = await browser.post("/runs/new", { scope: "page", level: "AA", anyway: "yes", ...fields });
  expect([answer.status, answer.location]).toEqual([303, expect.stringMatching(/^\/run\/[\w-]{22}$/)]);
  return answer.location ?? "";
}

/** Requests a run and waits for its end by reloads. @returns its path */
export async function scanned(browser: FormBrowser, fields: Record<string, string>): Promise<string> {
  const run = await requestScan(browser, fields);
  await vi.waitFor(async () => {
    if ((await browser.get(run)).text.includes(`action="${run}/cancel"`)) throw new Error(`${run} is still under way`);
  }, WITHIN);
  return run;
}

export const idOf = (run: string): string => run.split("/")[2] ?? "";

export async function statusOf(db: Db, run: string): Promise<RunStatus> {
  return (await db.selectFrom("run").select("status").where("id", "=", idOf(run)).executeTakeFirstOrThrow()).status;
}

/** Rules on a page of a report, in page order. */
export function rulesIn(html: string): string[] {
  return [...html.matchAll(/class="rule-name"[^>]*href="[^"]+\/(?:violations|incomplete)\/([^"?]+)/g)].map(([, rule = ""]) => rule);
}

/** Paths of the runs in a list, in list order. */
export function rowsIn(html: string): string[] {
  return [...html.matchAll(/<a class="address"[^>]*href="(\/run\/[\w-]+)"/g)].map(([, run = ""]) => run);
}

export function headingOf(html: string): string | undefined {
  return /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1]?.replace(/<!--.*?-->|<[^>]+>/gs, "");
}

/** Visible text of a page's main content. */
export function wordsOf(html: string): string {
  return html.replace(/^.*<main|<\/main>.*$/gs, "").replace(/<!--.*?-->|<[^>]+>/gs, " ").replace(/\s+/g, " ");
}
