import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { PageHeading } from "~/ui/dialog/page-heading";
import { FormPage } from "~/ui/form/form-page";
import { KeptNotice } from "~/ui/form/kept-notice";
import { LocalTime } from "~/ui/local-time";
import { withReturnTo } from "~/platform/http/return-to";
import type { RunRow } from "~/runs/run-view";

interface DeleteRunsProps {
  runs: Pick<RunRow, "id" | "url" | "createdAt">[];
  /** Minutes in which the runs can be restored. */
  undoMinutes: number;
  /** True if the form was sent after the end of the session. */
  kept: boolean;
  /** Path of the list from which they are deleted. */
  list: string;
}

/** Page that asks whether runs are to be deleted. The ids are in its address, so that it asks about the same runs after a new sign-in. */
export function deleteAddress(ids: string[], list: string): string {
  return withReturnTo(`/runs/delete?${new URLSearchParams(ids.map((id) => ["run", id]))}`, list);
}

export function DeleteRuns({ runs, undoMinutes, kept, list }: DeleteRunsProps) {
  const { t } = useTranslation("runs");
  if (runs.length === 0) {
    return (
      <article className="form-page wrap">
        <PageHeading>{t("delete.nothing")}</PageHeading>
        <p className="lead">{t("delete.nothingHint")}</p>
        <Link className="button" to={list}>
          {t("delete.back")}
        </Link>
      </article>
    );
  }
  return (
    <FormPage
      heading={t("delete.heading", { count: runs.length })}
      lead={
        <>
          {kept && <KeptNotice isButton />}
          <p>{t("delete.lead", { minutes: undoMinutes })}</p>
        </>
      }
      action={deleteAddress(runs.map(({ id }) => id), list)}
      submit={t("delete.submit", { count: runs.length })}
      danger
      after={<Link to={list}>{t("delete.back")}</Link>}
    >
      <ul>
        {runs.map(({ id, url, createdAt }) => (
          <li key={id}>
            <input type="hidden" name="run" value={id} />
            <span className="address">{url}</span>
            <div className="hint">
              <LocalTime at={createdAt} brief />
            </div>
          </li>
        ))}
      </ul>
      <p className="hint">
        {t("delete.repetitions")} <Link to="/runs/schedules">{t("delete.toSchedules")}</Link>
      </p>
    </FormPage>
  );
}
