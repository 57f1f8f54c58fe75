import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { ElementCode } from "~/reports/check/element-code";
import type { Fix } from "~/findings/fixes/fix";
import type { GroupView, RuleRow } from "~/reports/report-view";
import { ElementPicture } from "./element-picture";
import { PlaceList } from "./place-list";
import { WhatToDo } from "./what-to-do";

interface GroupItemProps {
  /** Path of the report. */
  base: string;
  rule: RuleRow;
  /** Path of the rule's page. */
  path: string;
  /** Query as in `PlaceList`. */
  search: string;
  /** Address of the list of all elements. */
  allPlaces: string;
  number: number;
  group: GroupView & { fix: Fix | null };
}

/** Similar elements: one picture, their locations, and their markup for developers. */
export function GroupItem({ base, rule, path, search, allPlaces, number, group }: GroupItemProps) {
  const { t } = useTranslation(["report", "check"]);
  const { category, impact, ruleId } = rule;
  const { sample, elements, pages, locations, fix } = group;
  const headingId = `place-${number}`;
  const pictured = locations.find(({ hasPicture }) => hasPicture);
  // An expanded proposal already contains the current markup.
  const isShownByFix = category === "violations" && fix?.kind === "markup";
  const name = t("group.many", { number, count: elements, pages: t("rule.onPages", { count: pages }) });
  return (
    <article className={`violation violation-${impact ?? "none"}`} aria-labelledby={headingId}>
      <h3 id={headingId}>{name}</h3>
      {pictured && <ElementPicture base={base} category={category} ruleId={ruleId} location={pictured} alt={t("group.pictureOf", { number })} />}
      <h4>{t("group.where", { count: elements })}</h4>
      <PlaceList path={path} search={search} places={locations} />
      {elements > locations.length && (
        <p>
          <Link className="target" to={allPlaces}>
            {t("group.more", { count: elements - locations.length })}
          </Link>
        </p>
      )}
      <details className="for-development">
        <summary>
          {t("check:development.summary")}
          <span className="visually-hidden">: {name}</span>
        </summary>
        <p className="element-target">
          <code dir="ltr" translate="no">
            {sample.target}
          </code>
        </p>
        {!isShownByFix && <ElementCode html={sample.html} cut={sample.htmlCut} />}
        <WhatToDo category={category} fix={fix} hints={sample.fixes} />
      </details>
    </article>
  );
}
