import { useTranslation } from "react-i18next";
import type { ChangesView } from "~/monitoring/history-view";

interface PageDifferencesProps {
  /** First pages with differences. */
  pages: ChangesView["pages"];
  total: number;
}

/** Pages that could not be compared, with the reasons. */
export function PageDifferences({ pages, total }: PageDifferencesProps) {
  const { t } = useTranslation("history");
  if (total === 0) return null;
  return (
    <>
      <h3>{t("pages.heading", { count: total })}</h3>
      <ul className="plain-list">
        {pages.map(({ url, before, now }) => (
          <li key={url}>
            <span className="address">{url}</span>
            <br />
            <span className="hint">
              {t("pages.states", { before: t(`state.${before}`), now: t(`state.${now}`) })}
            </span>
          </li>
        ))}
      </ul>
      {total > pages.length && <p className="hint">{t("pages.more", { count: total - pages.length })}</p>}
    </>
  );
}
