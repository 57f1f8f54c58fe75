import { Form } from "@remix-run/react";
import { useTranslation } from "react-i18next";

/** Section with the button that ends a schedule. */
export function EndSchedule({ path, level }: { path: string; /** Of the heading. */ level: 2 | 3 }) {
  const { t } = useTranslation("history");
  const Heading = `h${level}` as const;
  return (
    <section aria-labelledby="end">
      <Heading id="end">{t("schedule.endHeading")}</Heading>
      <p>{t("schedule.endText")}</p>
      <Form method="post" action={path}>
        <button className="button button-quiet" type="submit" name="do" value="end">
          {t("schedule.end")}
        </button>
      </Form>
    </section>
  );
}
