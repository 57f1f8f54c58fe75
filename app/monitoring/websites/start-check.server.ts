import { data, redirect, type ActionFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { checkNow } from "./check-now.server";
import { originOf } from "./website";

const NO_SPACE_RETRY_MS = 600_000;

/**
 * Answers the form that checks one website again.
 * @param path of the page with the form, which stays
 * @throws 404 for a website that does not exist or belongs to another user
 */
export async function startCheck({ request, context }: Pick<ActionFunctionArgs, "request" | "context">, userId: string, form: FormData, path: string) {
  const { services, visitor } = context;
  const t = textsOf(await localeOf(request)).getFixedT(null, "runs");
  const { waiting: mostWaiting } = await services.scanRequests.limitsOf(userId);
  const describe = (problem: string) => t(`problem.${problem as "full"}`, { mostWaiting });
  const sent = await parseSentForm(request, context, form, z.object({ website: z.string().catch("") }), describe);
  const id = sent.value?.website ?? "";
  const origin = originOf(id);
  const website = origin === null ? undefined : await services.websites.find(userId, origin);
  if (!website) throw data(null, { status: 404 });
  const answer = await checkNow(services, userId, website);
  if (answer.kind === "refused") {
    return answer.why === "no_space" ? sent.postpone("no_space", Date.now() + NO_SPACE_RETRY_MS) : sent.refuse({ [`check-${id}`]: answer.why });
  }
  if (answer.kind === "under_way") return redirect(`/run/${answer.id}`, 303);
  if (answer.registered) services.billing?.writeUrlsSoon();
  await visitor.flash({ text: "checkStarted", kind: "done" });
  return redirect(path, 303);
}
