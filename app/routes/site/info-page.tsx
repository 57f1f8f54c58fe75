import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { InfoPage } from "~/site/info-pages/info-page";
import { pageMeta } from "~/platform/http/page-meta";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { infoPageAt } from "~/site/info-pages/info-pages.server";
import { readStorageAddress } from "~/platform/objects/storage-address";
import { localeOf } from "~/platform/i18n/i18n.server";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { env, hosted, keepsMails, legal, messages, billing } = context.services;
  const locale = await localeOf(request);
  const page = infoPageAt(new URL(request.url).pathname, locale, {
    operator: {
      operatorName: env.OPERATOR_NAME,
      operatorAddress: env.OPERATOR_ADDRESS,
      operatorEmail: env.OPERATOR_EMAIL,
      operatorPhone: env.OPERATOR_PHONE,
    },
    signIn: hosted ? "hosted" : "local",
    signInService: hosted?.name,
    billing: env.BILLING,
    mail: keepsMails ? "outbox" : "smtp",
    database: env.DATABASE_URL.startsWith("file:") ? "sqlite" : "postgres",
    storage: (env.STORAGE_URL && readStorageAddress(env.STORAGE_URL)?.kind) || "database",
    retentionDays: env.RETENTION_DAYS,
    sessionDays: env.SESSION_DAYS,
    messageDays: messages.keptDays,
    legal: billing && { ...legal.links(locale), vat: legal.vat },
  });
  return data(page);
}

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function InfoPageRoute() {
  const page = useLoaderData<typeof loader>();
  const { i18n } = useTranslation();
  return <InfoPage {...page} locale={i18n.language} />;
}
