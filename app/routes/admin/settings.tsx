import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { refuseForms, requireAdministrator } from "~/administration/guard.server";
import { administrationMeta } from "~/administration/page-meta.server";
import { settingRows } from "~/administration/settings.server";
import { AdministrationPage } from "~/administration/view/administration-page";
import { SettingTable } from "~/administration/view/setting-table";
import { pageMeta } from "~/platform/http/page-meta";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["admin"] };
export const clientLoader = preloadNamespaces(["admin"]);

export async function loader(args: LoaderFunctionArgs) {
  await requireAdministrator(args);
  return data({ meta: await administrationMeta(args, "settings"), settings: settingRows(args.context.services.env) });
}

export const action = refuseForms;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Settings() {
  const { settings } = useLoaderData<typeof loader>();
  const { t } = useTranslation("admin");
  return (
    <AdministrationPage heading={t("settings.heading")}>
      <p className="prose-line">{t("settings.lead")}</p>
      <p className="prose-line">{t("settings.change")}</p>
      <SettingTable settings={settings} />
    </AdministrationPage>
  );
}
