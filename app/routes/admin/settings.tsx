import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { refuseForms, requireAdministrator } from "~/administration/guard.server";
import { administrationMeta } from "~/administration/page-meta.server";
import { settingRows } from "~/administration/settings.server";
import { AdministrationPage } from "~/administration/view/administration-page";
import { SettingTable } from "~/administration/view/setting-table";
import { VersionNotice } from "~/administration/view/version-notice";
import { pageMeta } from "~/platform/http/page-meta";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["admin"] };
export const clientLoader = preloadNamespaces(["admin"]);

export async function loader(args: LoaderFunctionArgs) {
  await requireAdministrator(args);
  const { env, version, newerRelease } = args.context.services;
  return data({ meta: await administrationMeta(args, "settings"), version, newer: newerRelease(), settings: settingRows(env) });
}

export const action = refuseForms;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Settings() {
  const { version, newer, settings } = useLoaderData<typeof loader>();
  const { t } = useTranslation("admin");
  return (
    <AdministrationPage heading={t("settings.heading")}>
      <VersionNotice version={version} newer={newer} />
      <p className="prose-line">{t("settings.lead")}</p>
      <p className="prose-line">{t("settings.change")}</p>
      {(["set", "default"] as const).map((part) => {
        const rows = settings.filter(({ from }) => (from === "default") === (part === "default"));
        const heading = t(`settings.part.${part}`, { count: rows.length });
        return (
          rows.length > 0 && (
            <section key={part}>
              <h2>{heading}</h2>
              <SettingTable caption={heading} settings={rows} />
            </section>
          )
        );
      })}
    </AdministrationPage>
  );
}
