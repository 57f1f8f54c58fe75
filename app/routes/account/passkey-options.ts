import type { ActionFunctionArgs } from "@remix-run/node";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { readForm, textField } from "~/platform/forms/read-form";

/** Options for a browser to create or use a passkey: JSON for scripts, with a challenge for one answer within five minutes. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { passkeys, pendingSignIns } = context.services;
  const purpose = textField(await readForm(request), "purpose");
  const user = await context.visitor.user();
  const pending = async () => (await pendingSignIns.of(request))?.user;
  const person = purpose === "sign_in" ? ((await pending()) ?? user) : (user ?? (await pending()));
  if (!person || person.subject !== null) return Response.json({ error: "not signed in" }, { status: 401 });
  // A user whose second factor is still missing must not add one.
  if (purpose === "add" && !user) return Response.json({ error: "not signed in" }, { status: 401 });
  const options = purpose === "add" ? await passkeys.optionsToAdd(person) : await passkeys.optionsToUse(person.id);
  return Response.json(options ?? { error: "none" }, { status: options ? 200 : 404, headers: { "Cache-Control": "private, no-store" } });
}

export const loader = methodNotAllowed;
