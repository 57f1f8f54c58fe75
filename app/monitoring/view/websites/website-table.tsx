import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { LocalTime } from "~/ui/local-time";
import { AddressNotes } from "~/findings/view/page-address";
import type { WebsiteRow } from "~/monitoring/websites/website";
import { DataTable } from "~/ui/data-table";
import { CheckNow } from "./check-now";
import { LastResult } from "./last-result";
import { TrendLine } from "./trend-line";
import { WhatChanged } from "./what-changed";

interface WebsiteTableProps {
  websites: WebsiteRow[];
  /** Address of the list, also the target of the forms. */
  path: string;
}

/** Table of a user's websites. */
export function WebsiteTable({ websites, path }: WebsiteTableProps) {
  const { t } = useTranslation("websites");
  return (
    <DataTable
      caption={t("heading")}
      columns={(["website", "last", "change", "trend", "next", "action"] as const).map((column) => t(`column.${column}`))}
      className="website-table"
    >
      {websites.map((website) => (
        <Row key={website.id} website={website} path={path} />
      ))}
    </DataTable>
  );
}

function Row({ website, path }: { website: WebsiteRow; path: string }) {
  const { t } = useTranslation("websites");
  const { id, name, picture, last, change, trend, next } = website;
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
        <LastResult name={name} last={last} />
      </td>
      <td role="cell" data-label={t("column.change")}>
        <WhatChanged name={name} last={last} change={change} />
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
