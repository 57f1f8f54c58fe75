import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";
import { LocalTime } from "~/ui/local-time";
import { AddressNotes } from "~/findings/view/page-address";
import type { ReportHead } from "~/reports/report-view";
import { ReportActions } from "./head/report-actions";
import { PicturesUnreachable } from "./pictures-unreachable";
import { isMostlyUnchecked } from "~/runs/run-view";
import { CATEGORIES } from "~/scan/types";

type Part = "overview" | (typeof CATEGORIES)[number] | "accepted" | "criteria" | "pages" | "changes" | "review" | "history";

type ListedPart = Exclude<Part, "review" | "history">;

interface ReportFrameProps {
  head: ReportHead;
  /** Null if there are no other parts. */
  current: Part | null;
  children: ReactNode;
}

/** Layout of every page of a report: its reader, and the navigation. */
export function ReportFrame({ head, current, children }: ReportFrameProps) {
  const { t } = useTranslation("report");
  const { reader, host, status, standard, createdAt, finishedAt } = head;
  return (
    <article className="report wrap">
      {reader === "owner" ? (
        <nav aria-label={t("frame.back")} className="back">
          <Link to="/runs">{t("frame.allRuns")}</Link>
        </nav>
      ) : (
        <p className="hint">{t(`reader.${reader}.notice`)}</p>
      )}
      <header className="report-head">
        <p className="report-of">
          {t(`frame.of.${head.scope}`)} <span className="address">{host}</span>
          <AddressNotes reached={head.reached} />
        </p>
        <p className="hint">
          {standard}
          {head.inPart && ` (${t("inPart")})`}, <LocalTime at={finishedAt ?? createdAt} brief />
          {status === "canceled" && `, ${t("frame.canceled")}`}
        </p>
        <Unchecked {...head} />
        {head.evidence !== "kept" && (
          <p className="hint">
            {t(`frame.evidence.${head.evidence}`)} {head.acceptedUnknown && t("frame.acceptedUnknown")}
          </p>
        )}
        {head.picturesUnreachable && <p className="hint">{t("frame.picturesUnreachable")}</p>}
      </header>
      {current && head.id !== null && <ReportActions base={head.base} id={head.id} />}
      {current && <Parts {...head} current={current} />}
      <PicturesUnreachable.Provider value={head.picturesUnreachable}>{children}</PicturesUnreachable.Provider>
    </article>
  );
}

/** Notice on every page: the results are only about the checked pages. */
function Unchecked({ pages, failedPages }: ReportHead) {
  const { t } = useTranslation("report");
  if (failedPages === 0) return null;
  const isMost = isMostlyUnchecked({ pages, failedPages });
  return (
    <p className={isMost ? "run-state run-state-partly" : "hint"}>
      {isMost && <Icon name="alert" size={16} />}
      {t(isMost ? "frame.mostlyUnchecked" : "frame.unchecked", { count: failedPages, pages })}
    </p>
  );
}

function Parts({ base, reader, counts, accepted, pages, current }: ReportHead & { current: Part }) {
  const { t, i18n } = useTranslation("report");
  const number = new Intl.NumberFormat(i18n.language);
  const parts: { part: ListedPart; path: string; count?: number }[] = [
    { part: "overview", path: "" },
    ...CATEGORIES.map((category) => ({ part: category, path: `/${category}`, count: counts[category] })),
    ...(accepted > 0 || current === "accepted" ? [{ part: "accepted" as const, path: "/accepted", count: accepted }] : []),
    { part: "criteria", path: "/criteria" },
    { part: "pages", path: "/pages", count: pages },
    ...(reader === "owner" ? [{ part: "changes" as const, path: "/changes" }] : []),
  ];
  return (
    <nav className="parts" aria-label={t("frame.parts")}>
      {/* On small screens a menu; on others, style sheets open it. */}
      <details key={current}>
        <summary>
          <Icon name="menu" size={18} />
          {t("frame.menu", { part: t(`part.${entryOf(current)}`) })}
        </summary>
        <ul>
          {parts.map(({ part, path, count }) => (
            <li key={part}>
              <Link to={`${base}${path}`} aria-current={isCurrent(part, current)}>
                {t(`part.${part}`)}{" "}
                {count !== undefined && <span className="count">{number.format(count)}</span>}
              </Link>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

/** Entry of the navigation for a part; some parts have none of their own. */
function entryOf(part: Part): ListedPart {
  if (part === "review") return "incomplete";
  return part === "history" ? "changes" : part;
}

function isCurrent(part: ListedPart, current: Part): "page" | "true" | undefined {
  if (part === current) return "page";
  return part === entryOf(current) ? "true" : undefined;
}
