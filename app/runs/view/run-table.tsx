import { Form, Link, useLocation } from "@remix-run/react";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { DialogLink } from "~/ui/dialog/dialog-link";
import { useFormDialog } from "~/ui/dialog/use-form-dialog";
import { LocalTime } from "~/ui/local-time";
import { AddressNotes } from "~/findings/view/page-address";
import { shortId, type RunRow } from "~/runs/run-view";
import { DataTable } from "~/ui/data-table";
import { deleteAddress, DeleteRuns } from "./delete-runs";
import { RunResults } from "./run-results";
import { RunState } from "./run-state";

/** Table of a user's runs. */
export function RunTable({ runs, ofOneWebsite = false }: { runs: RunRow[]; ofOneWebsite?: boolean }) {
  const { t } = useTranslation("runs");
  const { open, dialog } = useFormDialog(DeleteRuns);
  const list = useList();

  function openForSelected(event: FormEvent<HTMLFormElement>) {
    const ids = new FormData(event.currentTarget).getAll("run") as string[];
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (submitter && open(deleteAddress(ids, list), submitter)) event.preventDefault();
  }

  return (
    <Form method="get" action="/runs/delete" onSubmit={openForSelected}>
      {list !== "/runs" && <input type="hidden" name="returnTo" value={list} />}
      <DataTable
        caption={t("list.heading")}
        selection={t("table.select")}
        columns={(["id", "url", "created", "status", "results", "actions"] as const).map((column) => t(`table.${column}`))}
      >
        {runs.map((run) => (
          <Row key={run.id} run={run} numbered={ofOneWebsite || runs.filter(({ url }) => url === run.url).length > 1} />
        ))}
      </DataTable>
      <p>
        <button className="button button-quiet" type="submit">
          {t("table.deleteSelected")}
        </button>
      </p>
      {dialog}
    </Form>
  );
}

/** Path of the list of all runs with its filter, from its first page: deleting may have emptied a later one. */
function useList(): string {
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(pathname === "/runs" ? search : "");
  query.delete("before");
  return query.size > 0 ? `/runs?${query}` : "/runs";
}

/** @param numbered true if many links have the same address: their names then include the number of the run */
function Row({ run, numbered }: { run: RunRow; numbered: boolean }) {
  const { t } = useTranslation("runs");
  const id = shortId(run.id);
  const list = useList();
  return (
    <tr role="row">
      <td role="cell" className="cell-select">
        <input type="checkbox" name="run" value={run.id} aria-label={t("table.selectRun", { id, url: run.url })} />
      </td>
      <td role="cell" data-label={t("table.id")}>
        <code translate="no">{id}</code>
      </td>
      <th role="rowheader" scope="row" data-label={t("table.url")}>
        <Link className="address" to={`/run/${run.id}`}>
          {run.url}
          {numbered && (
            <span className="visually-hidden" translate="no">
              {" "}
              ({id})
            </span>
          )}
        </Link>
        <AddressNotes reached={run.reached} />
        <div className="hint">
          {t(`scope.${run.scope}`)}, {run.standard}
        </div>
      </th>
      <td role="cell" data-label={t("table.created")}>
        <LocalTime at={run.createdAt} brief />
      </td>
      <td role="cell" data-label={t("table.status")}>
        <RunState {...run} />
      </td>
      <td role="cell" className="cell-counts" data-label={t("table.results")}>
        <RunResults {...run} />
      </td>
      <td role="cell" data-label={t("table.actions")}>
        <DialogLink className="target" to={deleteAddress([run.id], list)} view={DeleteRuns}>
          {t("table.delete")}
          <span className="visually-hidden">
            {" "}
            {id}, {run.url}
          </span>
        </DialogLink>
      </td>
    </tr>
  );
}
