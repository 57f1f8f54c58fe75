import { Form, Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { formatCalendarDate } from "~/platform/i18n/calendar-date";
import { ElementCode } from "~/reports/check/element-code";
import { LocalTime } from "~/ui/local-time";
import { LocalizedText } from "~/ui/localized-text";
import { ACCEPTANCE_GROUPS, type AcceptanceRow } from "./acceptance-view";

interface AcceptanceListProps {
  rows: AcceptanceRow[];
  /** Target of the forms that end one; undefined if the reader has no permission. */
  path?: string;
}

/** Acceptances, grouped by validity. */
export function AcceptanceList({ rows, path }: AcceptanceListProps) {
  const { t } = useTranslation("acceptance");
  return ACCEPTANCE_GROUPS.map((group) => {
    const listed = rows.filter((row) => row.group === group);
    if (listed.length === 0) return null;
    return (
      <section key={group} aria-labelledby={group}>
        <h2 id={group}>{t(`list.group.${group}`)}</h2>
        {group !== "found" && <p className="prose-line">{t(`list.groupHint.${group}`)}</p>}
        {listed.map((row) => (
          <Item key={row.id} row={row} path={path} />
        ))}
      </section>
    );
  });
}

function Item({ row, path }: { row: AcceptanceRow; path: string | undefined }) {
  const { t, i18n } = useTranslation(["acceptance", "report"]);
  const { id, rule, kind, scope, lastDay, at, group, ended, elements, pages } = row;
  const headingId = `a-${id}`;
  return (
    <article className="accepted" aria-labelledby={headingId}>
      <h3 id={headingId}>{row.path ? <Link to={row.path}><LocalizedText {...rule} /></Link> : <LocalizedText {...rule} />}</h3>
      {row.html && <ElementCode html={row.html} cut={row.htmlCut} />}
      <dl className="facts-list" id={`facts-${id}`}>
        <Fact name={t("list.fact.what")}>{t(`list.scope.${scope}`)}</Fact>
        {row.pageUrl && (
          <Fact name={t("list.fact.where")}>
            <span className="address">{row.pageUrl}</span>
          </Fact>
        )}
        {group === "found" && (
          <Fact name={t("list.fact.found")}>
            {t("list.places", { count: elements })} {t("report:rule.onPages", { count: pages })}
          </Fact>
        )}
        <Fact name={t("list.fact.why")}>{t(`report:accepted.kind.${kind}`)}</Fact>
        {row.private && (
          <Fact name={t("list.fact.reason")}>
            <bdi className="typed">{row.private.reason}</bdi>
          </Fact>
        )}
        <Fact name={t("list.fact.until")}>{lastDay === null ? t("list.noEnd") : formatCalendarDate(lastDay, i18n.language)}</Fact>
        {row.private && (
          <Fact name={t("list.fact.by")}>
            <bdi>{row.private.by}</bdi>, <LocalTime at={at} brief />
          </Fact>
        )}
        {group === "ended" && (
          <Fact name={t("list.fact.ended")}>
            {ended ? (
              <>
                <LocalTime at={ended.at} brief /> {t("list.endedBy")} <bdi>{ended.by}</bdi>
              </>
            ) : (
              t("list.over")
            )}
          </Fact>
        )}
      </dl>
      {path && group !== "ended" && (
        <Form method="post" action={path} preventScrollReset>
          <button className="button button-quiet" type="submit" name="end" value={id} aria-label={t("list.endAbout", { rule: rule.text })} aria-describedby={`facts-${id}`}>
            {t("list.end")}
          </button>
        </Form>
      )}
    </article>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
