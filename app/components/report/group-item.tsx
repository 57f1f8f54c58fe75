import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { ElementCode } from "~/components/check/element-code";
import { FixHints } from "~/components/check/fix-hints";
import type { Fix } from "~/lib/fixes/fix";
import type { GroupView } from "~/lib/report-view";
import type { Impact } from "~/scan/types";
import { ProposedFix } from "./fix";

interface GroupItemProps {
  /** Of the rule's page. */
  path: string;
  number: number;
  impact: Impact | null;
  group: GroupView & { fix: Fix | null };
}

/** Elements that look the same: one description, and where they are. */
export function GroupItem({ path, number, impact, group }: GroupItemProps) {
  const { t } = useTranslation("report");
  const { sample, elements, pages, places, fix } = group;
  const headingId = `place-${number}`;
  return (
    <article className={`violation violation-${impact ?? "none"}`} aria-labelledby={headingId}>
      <h3 id={headingId}>
        {elements === 1 ? t("group.one", { number }) : t("group.many", { number, count: elements, pages: t("rule.onPages", { count: pages }) })}
      </h3>
      {/* What is proposed begins with the markup as it is. */}
      {fix?.kind !== "markup" && <ElementCode html={sample.html} cut={sample.htmlCut} />}
      {fix && <ProposedFix fix={fix} />}
      <FixHints fixes={sample.fixes} />
      <h4>{t("group.where", { count: elements })}</h4>
      <ul className="plain-list">
        {places.map(({ pageId, position, pageUrl, target }) => (
          <li key={`${pageId}-${position}`}>
            <Link to={`${path}/${pageId}/${position}`}>
              <span className="address">{pageUrl}</span>
            </Link>
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
