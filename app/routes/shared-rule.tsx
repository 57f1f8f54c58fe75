import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { RuleFacts } from "~/components/check/rule-facts";
import { Icon } from "~/components/icon";
import { Local } from "~/components/local";
import { SharedFrame } from "~/components/history/shared-frame";
import { SharedGroup } from "~/components/history/shared-group";
import { Who } from "~/components/report/who";
import { descriptionOf } from "~/models/finding-views.server";
import { fixOf } from "~/lib/fixes/fix-of";
import { impactOnPeople } from "~/lib/fixes/impact-on-people";
import { pageMeta } from "~/lib/page-meta";
import { ruleRow } from "~/models/rule-rows.server";
import { groupView } from "~/models/report-places.server";
import { isCategory } from "~/lib/report-view";
import { notAllowed } from "~/lib/refusals";
import { openShared, sharedMeta } from "~/share-page.server";
import { textsFirst } from "~/lib/texts-first";

export const handle = { i18n: ["history", "report", "check", "fixes"] };
export const clientLoader = textsFirst(["history", "report", "check", "fixes"]);

const GROUPS_PER_PART = 20;

export async function loader(args: LoaderFunctionArgs) {
  const { category, rule: ruleId = "" } = args.params;
  if (!isCategory(category)) throw data(null, { status: 404 });
  const report = await openShared(args);
  const { run, head, base, locale, readers, headers } = report;
  const rule = report.rules.find((each) => each.category === category && each.ruleId === ruleId);
  if (!rule) throw data(null, { status: 404 });
  const part = Math.max(1, Math.trunc(Number(new URL(args.request.url).searchParams.get("part"))) || 1);
  const { groups, total, stored } = await readers.reports.placesOf(run.id, {
    category,
    ruleId,
    offset: (part - 1) * GROUPS_PER_PART,
    limit: GROUPS_PER_PART,
  });
  const row = ruleRow(rule, locale);
  return data(
    {
      meta: await sharedMeta(args, report, row.help.text),
      base,
      head,
      rule: row,
      description: descriptionOf(rule, locale),
      helpUrl: rule.helpUrl,
      people: impactOnPeople(ruleId, rule.tags),
      groups: groups.map((group) => ({
        ...groupView(group, locale, category),
        fix: group.places[0] && category === "violations" ? fixOf({ ruleId, element: group.places[0], locale }) : null,
      })),
      part,
      parts: Math.ceil(total / GROUPS_PER_PART),
      notStored: rule.elements - stored,
    },
    { headers },
  );
}

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const action = notAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function SharedRule() {
  const { base, head, rule, description, helpUrl, people, groups, part, parts, notStored } = useLoaderData<typeof loader>();
  const { t } = useTranslation(["report", "check", "history"]);
  const { ruleId, category, help, impact, elementCount, criteria, pages } = rule;
  const path = `${base}/${category}/${encodeURIComponent(ruleId)}`;
  const lists = category === "violations" || category === "incomplete";
  return (
    <SharedFrame base={base} head={head} current={category}>
      <h1>
        <Local {...help} />
      </h1>
      <RuleFacts impact={impact} elementCount={elementCount} criteria={criteria} ruleId={ruleId}>
        <li>{t("rule.onPages", { count: pages })}</li>
      </RuleFacts>
      <p className="prose-line">
        <Local {...description} />{" "}
        <a href={helpUrl} hrefLang="en" aria-label={t("check:violations.learnMoreAbout", { rule: help.text })}>
          {t("check:violations.learnMore")}
          <Icon name="external" size={16} />
        </a>
      </p>
      <Who {...people} />
      {lists ? (
        <section aria-labelledby="places">
          <h2 id="places">{t(`rule.places.${category}`)}</h2>
          {groups.map((group, index) => (
            <SharedGroup key={`${group.sample.pageId}-${group.sample.position}`} number={(part - 1) * GROUPS_PER_PART + index + 1} group={group} />
          ))}
          {notStored > 0 && <p className="hint">{t("rule.notStored", { count: notStored })}</p>}
          {parts > 1 && (
            <nav className="pager" aria-label={t("rule.parts")}>
              {part > 1 && <Link to={`${path}?part=${part - 1}`}>{t("rule.previous")}</Link>}
              <span>{t("rule.partOf", { part, parts })}</span>
              {part < parts && <Link to={`${path}?part=${part + 1}`}>{t("rule.next")}</Link>}
            </nav>
          )}
        </section>
      ) : (
        <p>{t(`rule.only.${category}`)}</p>
      )}
      <p>
        <Link to={`${base}/${category}`}>{t("history:shared.backToRules")}</Link>
      </p>
    </SharedFrame>
  );
}
