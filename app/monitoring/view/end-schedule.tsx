import { Form } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { ShownRunFields, type ShownRun } from "./shown-run";

/** Section with the button that ends a schedule. */
export function EndSchedule({ path, shown, level }: { path: string; shown: ShownRun; /** Level of the heading. */ level: 2 | 3 }) {
  const { t } = useTranslation("history");
  const Heading = `h${level}` as const;
  return (
    <section aria-labelledby="end">
      <Heading id="end">{t("schedule.endHeading")}</Heading>
      <p>{t("schedule.endText")}</p>
      <Form method="post" action={path}>
        <ShownRunFields {...shown} />
        <button className="button button-quiet" type="submit" name="do" value="end">
          {t("schedule.end")}
        </button>
      </Form>
    </section>
  );
}
