import { Form, Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { LocalTime } from "~/ui/local-time";
import { AddressNotes } from "~/findings/view/page-address";
import { RunResults } from "~/runs/view/run-results";
import { RunState } from "~/runs/view/run-state";
import type { WebsiteRow } from "~/monitoring/websites/website";
import { TrendLine } from "./trend-line";

interface WebsiteTableProps {
  websites: WebsiteRow[];
  /** Address of the list, to which the forms are sent. */
  path: string;
}

/** Websites of a user. Explicit roles for the same reason as in the table of runs. */
export function WebsiteTable({ websites, path }: WebsiteTableProps) {
  const { t } = useTranslation("websites");
  return (
    <table className="data-table website-table" role="table">
      <caption className="visually-hidden">{t("heading")}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {(["website", "last", "trend", "next", "action"] as const).map((column) => (
            <th key={column} role="columnheader" scope="col">
              {t(`column.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {websites.map((website) => (
          <Row key={website.id} website={website} path={path} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ website, path }: { website: WebsiteRow; path: string }) {
  const { t } = useTranslation("websites");
  const { id, name, picture, last, trend, next } = website;
  return (
    <tr role="row">
      <th role="rowheader" scope="row" data-label={t("column.website")}>
        {picture && <img className="website-picture" src={picture} alt="" loading="lazy" width="120" height="75" />}
        <Link className="address" to={`/websites/${encodeURIComponent(id)}`}>
          {name}
        </Link>
        <AddressNotes reached={last?.reached ?? null} />
      </th>
      <td role="cell" data-label={t("column.last")}>
        <LastResult last={last} />
      </td>
      <td role="cell" data-label={t("column.trend")}>
        {trend.length > 1 ? <TrendLine values={trend} /> : <span className="hint">{t("trend.none")}</span>}
      </td>
      <td role="cell" data-label={t("column.next")}>
        <NextCheck next={next} />
      </td>
      <td role="cell" data-label={t("column.action")}>
        <CheckNow website={website} path={path} />
      </td>
    </tr>
  );
}

function LastResult({ last }: Pick<WebsiteRow, "last">) {
  const { t } = useTranslation(["websites", "runs"]);
  if (!last) return t("state.never");
  return (
    <>
      <Link to={`/run/${last.id}`}>
        <RunResults {...last} />
      </Link>
      {(last.status === "failed" || last.failedPages > 0) && <RunState {...last} />}
      <div className="hint">
        <LocalTime at={last.createdAt} brief />, {t(`runs:scope.${last.scope}`)}, {last.standard}
      </div>
    </>
  );
}

function NextCheck({ next }: Pick<WebsiteRow, "next">) {
  const { t } = useTranslation("websites");
  if (!next) return <span className="hint">{t("next.none")}</span>;
  if (next.paused) return t("next.paused");
  return (
    <>
      <LocalTime at={next.at} brief />
      <div className="hint">{t(`next.every.${next.every}`)}</div>
    </>
  );
}

function CheckNow({ website: { id, name, open }, path }: { website: WebsiteRow; path: string }) {
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
