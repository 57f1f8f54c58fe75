import { Form } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { ShownRunFields, type ShownRun } from "./shown-run";

/** Button that deletes the stored access of a schedule, for pages without the form that changes the schedule. */
export function ForgetAccess({ path, shown }: { path: string; shown: ShownRun }) {
  const { t } = useTranslation("history");
  return (
    <Form method="post" action={path}>
      <ShownRunFields {...shown} />
      <p>{t("schedule.accessThere")}</p>
      <button className="button button-quiet" type="submit" name="do" value="forgetAccess">
        {t("schedule.forgetAccess")}
      </button>
    </Form>
  );
}
