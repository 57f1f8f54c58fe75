import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { attachment } from "~/platform/http/content-disposition";
import { textsOf } from "~/platform/i18n/i18n.server";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { statementHtml, statementText } from "~/reports/statement/document";
import { openStatement } from "~/reports/statement/page.server";

/** Draft of a statement as a file; the address ends with the format. If answers are missing, redirects to the page. */
export async function loader(args: LoaderFunctionArgs) {
  const { pathname, search } = new URL(args.request.url);
  const { report, draft } = await openStatement(args);
  if (!draft) throw redirect(`${report.base}/statement${search}`, 303);
  const isHtml = pathname.endsWith(".html");
  const name = textsOf(draft.lang).t("statement:draft.fileName");
  return new Response(isHtml ? statementHtml(draft) : statementText(draft), {
    headers: {
      "Content-Type": isHtml ? "text/html; charset=utf-8" : "text/plain; charset=utf-8",
      "Content-Disposition": attachment(`${name}.${isHtml ? "html" : "txt"}`),
      "Content-Language": draft.lang,
      "Cache-Control": "private, no-store",
    },
  });
}

export const action = methodNotAllowed;
