import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { refuseForms, requireAdministrator } from "~/administration/guard.server";
import { administrationMeta } from "~/administration/page-meta.server";
import { AdministrationPage } from "~/administration/view/administration-page";
import { PersonFacts } from "~/administration/view/person-facts";
import { pageMeta } from "~/platform/http/page-meta";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["admin"] };
export const clientLoader = preloadNamespaces(["admin"]);

export async function loader(args: LoaderFunctionArgs) {
  await requireAdministrator(args);
  const person = await args.context.services.people.find(args.params.id ?? "");
  if (!person) throw data(null, { status: 404 });
  return data({ meta: await administrationMeta(args, "person"), person });
}

export const action = refuseForms;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Person() {
  const { person } = useLoaderData<typeof loader>();
  const { t } = useTranslation("admin");
  return (
    <AdministrationPage heading={person.email}>
      <PersonFacts person={person} />
      <p>
        <Link to="/admin/people">{t("person.back")}</Link>
      </p>
    </AdministrationPage>
  );
}
