import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { LocalTime } from "~/ui/local-time";
import { RunResults } from "~/runs/view/run-results";
import { RunState } from "~/runs/view/run-state";
import type { WebsiteRow } from "~/monitoring/websites/website";

/** Result of the last check of a website, with a link to its report. */
export function LastResult({ name, last }: Pick<WebsiteRow, "name" | "last">) {
  const { t } = useTranslation(["websites", "runs"]);
  if (!last) return t("state.never");
  return (
    <>
      <RunResults {...last} />
      {(last.status === "failed" || last.failedPages > 0) && (
        <div>
          <RunState {...last} />
        </div>
      )}
      <div className="hint">
        <Link to={`/run/${last.id}`}>
          <LocalTime at={last.createdAt} brief />
          <span className="visually-hidden">: {name}</span>
        </Link>
        , {t(`runs:scope.${last.scope}`)}, {last.standard}
      </div>
    </>
  );
}
