import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireUser } from "~/guard.server";
import { notAllowed } from "~/lib/refusals";

/** Everything that is stored about somebody, as a file. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requireUser(args);
  const everything = await args.context.services.users.everythingOf(user.id);
  const file = JSON.stringify({ schema: 1, exportedAt: new Date().toISOString(), ...everything }, null, 2);
  return new Response(`${file}\n`, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="rampe-account.json"',
      "Cache-Control": "private, no-store",
    },
  });
}

export const action = notAllowed;
