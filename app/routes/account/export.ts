import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireUser } from "~/accounts/guard.server";
import { attachment } from "~/platform/http/content-disposition";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { accountFileParts } from "~/reports/exports/account-file.server";
import { streamOf } from "~/reports/exports/answer.server";

/** All stored data about a user, with the findings of their scans, as a file. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requireUser(args);
  const { services, drained } = args.context;
  const body = streamOf(accountFileParts(services, user.id), { drained, signal: args.request.signal });
  return new Response(body, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": attachment("rampe-account.json"),
      "Cache-Control": "private, no-store",
    },
  });
}

export const action = methodNotAllowed;
