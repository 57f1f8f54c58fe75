import { Form } from "@remix-run/react";
import { useTranslation } from "react-i18next";

/** Section with the button that ends a schedule. */
export function EndSchedule({ path }: { path: string }) {
  const { t } = useTranslation("history");
  return (
    <section aria-labelledby="end">
      <h2 id="end">{t("schedule.endHeading")}</h2>
      <p>{t("schedule.endText")}</p>
      <Form method="post" action={path}>
        <button className="button button-quiet" type="submit" name="do" value="end">
          {t("schedule.end")}
        </button>
      </Form>
    </section>
  );
}
