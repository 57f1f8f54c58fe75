import { useTranslation } from "react-i18next";
import { ElementCode } from "~/components/check/element-code";
import { FixHints } from "~/components/check/fix-hints";
import { ProposedFix } from "~/components/report/fix";
import type { Fix } from "~/lib/fixes/fix";
import type { GroupView } from "~/lib/report-view";

/** Elements that look the same, without ways to pages of the account. */
export function SharedGroup({ number, group }: { number: number; group: GroupView & { fix: Fix | null } }) {
  const { t } = useTranslation("report");
  const { sample, elements, pages, places, fix } = group;
  const headingId = `place-${number}`;
  return (
    <article className="violation" aria-labelledby={headingId}>
      <h3 id={headingId}>
        {elements === 1 ? t("group.one", { number }) : t("group.many", { number, count: elements, pages: t("rule.onPages", { count: pages }) })}
      </h3>
      <ElementCode html={sample.html} cut={sample.htmlCut} />
      <FixHints fixes={sample.fixes} />
      {fix && <ProposedFix fix={fix} />}
      <h4>{t("group.where", { count: elements })}</h4>
      <ul className="plain-list">
        {places.map(({ pageId, position, pageUrl, target }) => (
          <li key={`${pageId}-${position}`}>
            <span className="address">{pageUrl}</span>
            <code className="hint" dir="ltr" translate="no">
              {target}
            </code>
          </li>
        ))}
      </ul>
      {elements > places.length && <p className="hint">{t("group.more", { count: elements - places.length })}</p>}
    </article>
  );
}
