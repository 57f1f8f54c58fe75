import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ChangeName } from "~/accounts/view/change-name";
import { canChangeProfile, requireUser } from "~/accounts/guard.server";
import { nameSchema } from "~/accounts/forms.server";
import { answerHeaders } from "~/platform/http/answer-headers";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { accountPageMeta } from "~/platform/forms/page-texts.server";
import { pageMeta } from "~/platform/http/page-meta";
import { readForm } from "~/platform/forms/read-form";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["account"] };
export const clientLoader = preloadNamespaces(["account"]);

const PATH = "/profile/name";

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireUser(args);
  if (!canChangeProfile(args.context, user)) throw redirect("/profile/general", 303);
  const kept = await args.context.visitor.takeKept(PATH);
  return data({ meta: await accountPageMeta(args, "name"), name: user.name, kept });
}

export async function action(args: ActionFunctionArgs) {
  const user = await requireUser(args);
  const { request, context } = args;
  const sent = await parseSentForm(request, context, await readForm(request), nameSchema);
  if (!sent.value) return sent.refuse();
  const { name } = sent.value;
  const { users, hosted } = context.services;
  return sent.unlessBusy(async () => {
    if (user.subject !== null && hosted && !(await hosted.management?.rename(user.subject, name))) {
      return sent.refuse({ name: "name_elsewhere" });
    }
    await users.rename(user.id, name);
    await context.visitor.flash({ text: "nameChanged", kind: "done" });
    return redirect("/profile/general", 303);
  });
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function ChangeNamePage() {
  return <ChangeName {...useLoaderData<typeof loader>()} answer={useActionData<typeof action>()} />;
}
