import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import type { WebsiteRow } from "~/monitoring/websites/website";

/** Numbers of new and fixed elements since the previous run. */
export function WhatChanged({ name, last, change }: Pick<WebsiteRow, "name" | "last" | "change">) {
  const { t } = useTranslation("websites");
  if (last?.status !== "succeeded") return null;
  if (!change) return <span className="hint">{t("change.pending")}</span>;
  if (change.before === null) return <span className="hint">{t(change.isGone ? "change.gone" : "change.first")}</span>;
  const { fresh, fixed, unknown } = change;
  const parts = [
    ...(fresh > 0 ? [t("change.new", { count: fresh })] : []),
    ...(fixed > 0 ? [t("change.fixed", { count: fixed })] : []),
    ...(unknown > 0 ? [t("change.unknown", { count: unknown })] : []),
  ];
  return (
    <Link to={`/run/${last.id}/changes?with=${change.before}`}>
      {parts.length > 0 ? parts.join(", ") : t("change.none")}
      <span className="visually-hidden">: {name}</span>
    </Link>
  );
}
