import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { LocalTime } from "~/components/local-time";
import type { ReportHead } from "~/lib/report-view";
import { CATEGORIES } from "~/scan/types";

type Part = "overview" | (typeof CATEGORIES)[number] | "criteria" | "pages" | "changes" | "review" | "history";

interface ReportFrameProps {
  head: ReportHead;
  /** Null where there are no other parts to go to. */
  current: Part | null;
  children: ReactNode;
}

/** What is around every page of a report: whose it is, and its parts. */
export function ReportFrame({ head, current, children }: ReportFrameProps) {
  const { t } = useTranslation("report");
  const { id, host, status, standard, createdAt, finishedAt } = head;
  return (
    <article className="report wrap">
      <nav aria-label={t("frame.back")} className="back">
        <Link to="/runs">{t("frame.allRuns")}</Link>
      </nav>
      <header className="report-head">
        <p className="report-of">
          {t(`frame.of.${head.scope}`)} <span className="address">{host}</span>
        </p>
        <p className="hint">
          {standard}, <LocalTime at={finishedAt ?? createdAt} brief />
          {status === "canceled" && `, ${t("frame.canceled")}`}
        </p>
      </header>
      {current && <Parts id={id} counts={head.counts} pages={head.pages} current={current} />}
      {children}
    </article>
  );
}

function Parts({ id, counts, pages, current }: Pick<ReportHead, "id" | "counts" | "pages"> & { current: Part }) {
  const { t, i18n } = useTranslation("report");
  const number = new Intl.NumberFormat(i18n.language);
  const parts: { part: Exclude<Part, "review" | "history">; path: string; count?: number }[] = [
    { part: "overview", path: "" },
    ...CATEGORIES.map((category) => ({ part: category, path: `/${category}`, count: counts[category] })),
    { part: "criteria", path: "/criteria" },
    { part: "pages", path: "/pages", count: pages },
    { part: "changes", path: "/changes" },
  ];
  return (
    <nav className="parts" aria-label={t("frame.parts")}>
      <ul>
        {parts.map(({ part, path, count }) => (
          <li key={part}>
            <Link to={`/run/${id}${path}`} aria-current={isCurrent(part, current)}>
              {t(`part.${part}`)}{" "}
              {count !== undefined && <span className="count">{number.format(count)}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Pages that have no entry of their own belong to another one. */
const BELONGS_TO: Partial<Record<Part, Part>> = { review: "incomplete", history: "changes" };

function isCurrent(part: Part, current: Part): "page" | "true" | undefined {
  if (part === current) return "page";
  return part === BELONGS_TO[current] ? "true" : undefined;
}
