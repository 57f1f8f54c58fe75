import { data, redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { answerExport } from "~/reports/exports/answer.server";
import { exportFormatOf } from "~/reports/exports/formats";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { readableOwnRun } from "~/reports/own-report.server";

/**
 * A finished, unlocked run as a file; the address ends with the format. `share` is the token of a link to the report: a PDF then
 * contains this link, otherwise the address that only the owner can open.
 */
export async function loader(args: LoaderFunctionArgs) {
  const { services, drained, visitor } = args.context;
  const { run, locale, base } = await readableOwnRun(args);
  const { pathname, searchParams } = new URL(args.request.url);
  const format = exportFormatOf(pathname);
  const token = searchParams.get("share");
  const expiresAt = token === null ? null : await services.shares.expiryOf(token, run.id);
  if (!format || (token !== null && expiresAt === null)) throw data(null, { status: 404 });
  const share = token !== null && expiresAt !== null ? { token, expiresAt } : undefined;
  const answer = await answerExport(services, run, { ...{ format, locale, drained, share }, signal: args.request.signal });
  if (answer) return answer;
  await visitor.flash({ text: "printerBusy", kind: "problem" });
  return redirect(base, 303);
}

export const action = methodNotAllowed;
