import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";
import { LocalTime } from "~/ui/local-time";
import type { ChangesView } from "~/monitoring/history-view";
import { ChangedRules } from "./changed-rules";
import { PageDifferences } from "./page-differences";

const TILES = ["new", "fixed", "persisting"] as const;

/** Changes since an earlier run. */
export function Changes({ before, now, totals, rules, pages, pageCount, accepted }: ChangesView) {
  const { t, i18n } = useTranslation("history");
  const number = new Intl.NumberFormat(i18n.language);
  const unclear = totals.not_checked_after + totals.not_checked_before;
  return (
    <>
      <p className="lead">
        {t("changes.since")} <LocalTime at={before.createdAt} brief />
      </p>
      <dl className="tiles change-tiles">
        {TILES.map((kind) => (
          <div key={kind} className={totals[kind] > 0 ? `tile tile-${kind}` : "tile"}>
            <dt>{t(`kind.${kind}.name`)}</dt>
            <dd>
              <strong>{number.format(rules[kind].length)}</strong> {t("changes.rules", { count: rules[kind].length })}
              {totals[kind] > 0 && <span className="hint"> {t("changes.elements", { count: totals[kind] })}</span>}
            </dd>
          </div>
        ))}
      </dl>
      {accepted > 0 && <p>{t("changes.accepted", { count: accepted })}</p>}
      {before.engine !== now.engine && (
        <p className="notice">
          <Icon name="alert" />
          <span>{t("changes.engine", { before: before.engine, now: now.engine })}</span>
        </p>
      )}
      {before.standard !== now.standard && (
        <p className="notice">
          <Icon name="alert" />
          <span>{t("changes.standard", { before: before.standard, now: now.standard })}</span>
        </p>
      )}
      {before.failedPages + now.failedPages > 0 && (
        <p className="notice">
          <Icon name="alert" />
          <span>
            {t("changes.unchecked", { before: before.failedPages, pagesBefore: before.pages, now: now.failedPages, pagesNow: now.pages })}
          </span>
        </p>
      )}
      <ChangedRules kind="new" rules={rules.new} none={t("changes.noneNew")} />
      <ChangedRules kind="engine" rules={rules.engine} />
      <ChangedRules kind="fixed" rules={rules.fixed} none={t("changes.noneFixed")} />
      <ChangedRules kind="persisting" rules={rules.persisting} />
      {(unclear > 0 || pageCount > 0) && (
        <section aria-labelledby="unclear">
          <h2 id="unclear">{t("unclear.heading")}</h2>
          <p className="prose-line">{t("unclear.text")}</p>
          <ChangedRules kind="not_checked_after" rules={rules.not_checked_after} below />
          <ChangedRules kind="not_checked_before" rules={rules.not_checked_before} below />
          <PageDifferences pages={pages} total={pageCount} />
        </section>
      )}
    </>
  );
}
