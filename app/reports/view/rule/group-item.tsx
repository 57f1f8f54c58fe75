import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { ElementCode } from "~/reports/check/element-code";
import { AddressNotes } from "~/findings/view/page-address";
import type { Fix } from "~/findings/fixes/fix";
import { pathAndQuery } from "~/findings/page-address";
import type { GroupView, RuleRow } from "~/reports/report-view";
import { WhatToDo } from "./what-to-do";

interface GroupItemProps {
  rule: RuleRow;
  /** Of the rule's page. */
  path: string;
  number: number;
  group: GroupView & { fix: Fix | null };
}

/** Elements that look the same: one description, and where they are. */
export function GroupItem({ rule, path, number, group }: GroupItemProps) {
  const { t } = useTranslation("report");
  const { category, impact } = rule;
  const { sample, elements, pages, locations, fix } = group;
  const headingId = `place-${number}`;
  // What is proposed at once begins with the markup as it is.
  const isShownByFix = category === "violations" && fix?.kind === "markup";
  return (
    <article className={`violation violation-${impact ?? "none"}`} aria-labelledby={headingId}>
      <h3 id={headingId}>
        {elements === 1 ? t("group.one", { number }) : t("group.many", { number, count: elements, pages: t("rule.onPages", { count: pages }) })}
      </h3>
      {!isShownByFix && <ElementCode html={sample.html} cut={sample.htmlCut} />}
      <WhatToDo category={category} fix={fix} hints={sample.fixes} />
      <h4>{t("group.where", { count: elements })}</h4>
      <ul className="plain-list">
        {locations.map(({ pageId, position, pageUrl, pageReached, target }) => (
          <li key={`${pageId}-${position}`}>
            <Link to={`${path}/${pageId}/${position}`}>
              {t("group.place", { number: position + 1 })} <span className="address">{pathAndQuery(pageUrl)}</span>
            </Link>{" "}
            <code className="hint" dir="ltr" translate="no">
              {target}
            </code>
            <AddressNotes reached={pageReached} />
          </li>
        ))}
      </ul>
      {elements > locations.length && <p className="hint">{t("group.more", { count: elements - locations.length })}</p>}
    </article>
  );
}
