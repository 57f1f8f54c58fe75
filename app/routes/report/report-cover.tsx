import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { requireUser } from "~/accounts/guard.server";
import { errorOf, keptAnswer } from "~/platform/forms/form-answer";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { titledMeta } from "~/platform/forms/page-texts.server";
import { readForm, textField } from "~/platform/forms/read-form";
import { answerHeaders } from "~/platform/http/answer-headers";
import { pageMeta } from "~/platform/http/page-meta";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { textColorOn } from "~/reports/cover-color";
import { cleanLogo, type Logo } from "~/reports/logo.server";
import { AnswerSummary } from "~/ui/form/answer-summary";
import { KeptNotice } from "~/ui/form/kept-notice";
import { SubmitButton } from "~/ui/form/submit-button";
import { TextField } from "~/ui/form/text-field";

export const handle = { i18n: ["history", "account"] };
export const clientLoader = preloadNamespaces(["history", "account"]);

const PATH = "/profile/report-cover";
const RAMPE = "#0a3d42";

const schema = z.object({
  name: z.string("name_missing").trim().min(1, "name_missing").max(80, "name_long"),
  color: z.string("color_unknown").regex(/^#[0-9a-f]{6}$/i, "color_unknown").toLowerCase(),
  noLogo: z.literal("1").optional(),
});

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireUser(args);
  const { reportCovers, scanRequests } = args.context.services;
  const t = textsOf(await localeOf(args.request)).getFixedT(null, "history");
  return data({
    meta: await titledMeta(args, { title: t("cover.title"), description: t("cover.lead") }),
    kept: await args.context.visitor.takeKept(PATH),
    cover: await reportCovers.of(user.id),
    isIncluded: await scanRequests.mayHaveOwnCover(user.id),
  });
}

/** Saves name, colour and logo (multipart), or with `remove`, restores the cover of Rampe. */
export async function action(args: ActionFunctionArgs) {
  const user = await requireUser(args);
  const { request, context } = args;
  const { reportCovers, scanRequests } = context.services;
  const t = textsOf(await localeOf(request)).getFixedT(null, "history");
  const form = await readForm(request);
  if (textField(form, "remove") !== "") {
    await reportCovers.remove(user.id);
    await context.visitor.flash({ text: "coverRemoved", kind: "done" });
    return redirect(PATH, 303);
  }
  const sent = await parseSentForm(request, context, form, schema, (problem) => t(`cover.problem.${problem as "name_missing"}`));
  const uploaded = await logoIn(form);
  if (!sent.value || typeof uploaded === "string") {
    // Browsers do not fill in a chosen file again.
    const logo = typeof uploaded === "string" ? uploaded : uploaded && "logo_again";
    return sent.refuse(logo ? { logo } : {});
  }
  if (!(await scanRequests.mayHaveOwnCover(user.id))) return redirect("/setup", 303);
  const { name, color, noLogo } = sent.value;
  await reportCovers.save(user.id, { name, color }, uploaded ?? (noLogo ? null : undefined));
  await context.visitor.flash({ text: "coverSaved", kind: "done" });
  return redirect(PATH, 303);
}

/** Uploaded logo; undefined for none. @returns the name of a problem if it is not usable */
async function logoIn(form: FormData): Promise<Logo | string | undefined> {
  const file = form.get("logo");
  if (!(file instanceof Blob) || file.size === 0) return undefined;
  return cleanLogo(new Uint8Array(await file.arrayBuffer()));
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function ReportCoverPage() {
  const { cover, isIncluded, kept } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("history");
  const typed = (answer ?? keptAnswer(kept))?.values;
  const logoError = errorOf(answer, "logo");
  const color = cover?.color ?? RAMPE;
  return (
    <article className="form-page wrap">
      <AnswerSummary answer={answer} />
      <h1>{t("cover.heading")}</h1>
      {kept && !answer && <KeptNotice />}
      <p className="lead">{t("cover.lead")}</p>
      {isIncluded ? (
        <Form className="form" method="post" action={PATH} encType="multipart/form-data" noValidate>
          <TextField
            id="name"
            name="name"
            type="text"
            label={t("cover.name")}
            hint={t("cover.nameHint")}
            error={errorOf(answer, "name")}
            defaultValue={typed?.name ?? cover?.name ?? ""}
            maxLength={80}
            autoComplete="organization"
            required
          />
          <TextField
            id="color"
            name="color"
            type="color"
            label={t("cover.color")}
            hint={t("cover.colorHint", { text: t(`cover.text.${textColorOn(color) === "#ffffff" ? "white" : "black"}`), color })}
            error={errorOf(answer, "color")}
            defaultValue={typed?.color ?? color}
          />
          {cover?.logo && (
            <p>
              {t("cover.logoNow")}
              <img className="cover-logo" src={cover.logo} alt={t("cover.logoOf", { name: cover.name })} />
            </p>
          )}
          <TextField id="logo" name="logo" type="file" accept="image/png" label={t("cover.logo")} hint={t("cover.logoHint")} error={logoError} />
          {cover?.logo && (
            <p>
              <label className="checkbox" htmlFor="noLogo">
                <input id="noLogo" name="noLogo" type="checkbox" value="1" defaultChecked={typed?.noLogo === "1"} /> <span>{t("cover.noLogo")}</span>
              </label>
            </p>
          )}
          <SubmitButton label={t("cover.save")} busyLabel={t("cover.busy")} action={PATH} />
        </Form>
      ) : (
        <p>
          {t("cover.inPro")} <Link to="/pricing">{t("cover.plans")}</Link>
        </p>
      )}
      {cover && (
        <Form className="cover-remove" method="post" action={PATH}>
          <button className="button button-quiet" type="submit" name="remove" value="1">
            {t("cover.remove")}
          </button>
        </Form>
      )}
      <p>
        <Link to="/profile/general">{t("cover.back")}</Link>
      </p>
    </article>
  );
}
