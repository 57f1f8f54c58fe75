import { Form, Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import type { WebsiteRow } from "~/monitoring/websites/website";

interface CheckNowProps {
  website: Pick<WebsiteRow, "id" | "name" | "open">;
  /** Target of the form. */
  path: string;
}

/** Button that starts a scan of a website, or link to its waiting or running scan. */
export function CheckNow({ website: { id, name, open }, path }: CheckNowProps) {
  const { t } = useTranslation("websites");
  if (open) {
    return (
      <Link className="target" to={`/run/${open.id}`}>
        {t(`check.${open.status}`)}
        <span className="visually-hidden">: {name}</span>
      </Link>
    );
  }
  return (
    <Form method="post" action={path}>
      <button className="button button-quiet" id={`check-${id}`} type="submit" name="website" value={id}>
        {t("check.now")}
        <span className="visually-hidden">: {name}</span>
      </button>
    </Form>
  );
}
