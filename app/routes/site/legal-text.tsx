import { data, redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { LegalText } from "~/legal/legal-text";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { legalTextAt } from "~/legal/legal-pages";
import { pageMeta } from "~/platform/http/page-meta";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";

/** Terms and withdrawal: texts of this installation's operator. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { legal } = context.services;
  const locale = await localeOf(request);
  const key = legalTextAt(new URL(request.url).pathname);
  const address = legal.address(key);
  if (address) throw redirect(address);
  const text = legal.document(key, locale);
  if (!text) throw data(null, { status: 404 });
  const t = textsOf(locale).getFixedT(null, "common");
  const title = text.title ?? t(`footer.${key}`);
  return data({ ...text, title, ownTitle: text.title !== null, meta: { title: t("title", { page: title }), description: t(`legal.${key}`) } });
}

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function LegalTextRoute() {
  const { title, ownTitle, locale, blocks } = useLoaderData<typeof loader>();
  const { i18n } = useTranslation();
  const lang = locale === i18n.language ? undefined : locale;
  return (
    <article className="info-page wrap prose">
      <h1 lang={ownTitle ? lang : undefined}>{title}</h1>
      <section lang={lang}>
        <LegalText blocks={blocks} />
      </section>
    </article>
  );
}
