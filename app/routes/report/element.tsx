import { data, redirect, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { ElementAcceptance } from "~/reports/acceptance/element-acceptance";
import { Notes } from "~/reports/acceptance/notes";
import { acceptanceNote } from "~/reports/acceptance/views.server";
import { ElementFacts } from "~/reports/view/rule/element-facts";
import { ElementPicture } from "~/reports/view/rule/element-picture";
import { ElementCode } from "~/reports/check/element-code";
import { RuleFacts } from "~/reports/check/rule-facts";
import { Icon } from "~/ui/icon";
import { LocalizedText } from "~/ui/localized-text";
import { PageAddress } from "~/findings/view/page-address";
import { ReportFrame } from "~/reports/view/report-frame";
import { WhatToDo } from "~/reports/view/rule/what-to-do";
import { fixOf } from "~/findings/rules/catalogue.server";
import { textsOf } from "~/platform/i18n/i18n.server";
import { knownLanguage } from "~/platform/i18n/language-tag";
import { pageMeta } from "~/platform/http/page-meta";
import { isCategory, listsElements, rulePath } from "~/reports/report-view";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { textFragment } from "~/findings/text-fragment";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { locationView } from "~/reports/element-locations.server";
import { isLocked, ruleRow } from "~/reports/rule-rows.server";
import { openReport } from "~/reports/open-report.server";
import { reportMeta } from "~/reports/page.server";

export const handle = { i18n: ["report", "check", "fixes"] };
export const clientLoader = preloadNamespaces(["report", "check", "fixes"]);

export async function loader(args: LoaderFunctionArgs) {
  const { category, rule: ruleId = "", page: pageId, position } = args.params;
  if (!isCategory(category)) throw data(null, { status: 404 });
  const report = await openReport(args);
  const { run, head, locale, withheld, headers } = report;
  const rule = report.allRules.find((each) => each.category === category && each.ruleId === ruleId);
  if (rule && isLocked(rule, withheld)) throw redirect(rulePath(head.base, rule), 303);
  const location =
    rule &&
    (await report.readers.reports.location(run.id, {
      category,
      ruleId,
      pageId: Number(pageId),
      position: Number(position),
    }));
  if (!location) throw data(null, { status: 404 });
  const accepted = category === "violations" && report.reader !== "sample" ? await args.context.services.acceptances.readerOf(run) : undefined;
  const acceptance = accepted?.ofElement({ pageUrl: location.pageUrl, rule, element: location });
  const t = textsOf(locale).getFixedT(null, "report");
  return data(
    {
      meta: await reportMeta(args, report, t("element.title", { number: location.position + 1 })),
      head,
      rule: ruleRow(rule, locale, withheld),
      notes: report.reader === "owner" && run.owner !== null && listsElements(category) ? await args.context.services.findingNotes.of(run.owner, { pageUrl: location.pageUrl, rule, element: location }) : null,
      acceptance: acceptance ? acceptanceNote(acceptance, report.reader) : null,
      location: locationView(location, locale, { category, ruleId, of: report.rules }),
      page: { title: location.pageTitle, lang: knownLanguage(location.pageLang), open: textFragment(location.pageUrl, location.html) },
      fix: fixOf(ruleId, location, locale),
    },
    { headers },
  );
}

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Element() {
  const { head, rule, acceptance, notes, location, page, fix } = useLoaderData<typeof loader>();
  const { t } = useTranslation("report");
  const { category, ruleId } = rule;
  return (
    <ReportFrame head={head} current={category}>
      <h1>{t("element.heading", { number: location.position + 1 })}</h1>
      <p className="lead">
        <Link to={rulePath(head.base, rule)}>
          <LocalizedText {...rule.title} />
        </Link>
      </p>
      <RuleFacts category={category} impact={rule.impact} elementCount={rule.elementCount} criteria={rule.criteria} ruleId={ruleId} />
      <section aria-labelledby="where">
        <h2 id="where">{t("element.where")}</h2>
        <ElementFacts location={location}>
          <div>
            <dt>{t("element.page")}</dt>
            <dd>
              <bdi lang={page.lang || undefined}>{page.title || location.pageUrl}</bdi>
              <br />
              <PageAddress url={location.pageUrl} reached={location.pageReached} />
            </dd>
          </div>
        </ElementFacts>
        <p>
          <a className="target" href={page.open} rel="noreferrer nofollow">
            {t("element.open")}
            <Icon name="external" size={16} />
          </a>
        </p>
      </section>
      {location.hasPicture && (
        <section aria-labelledby="picture">
          <h2 id="picture">{t("element.picture")}</h2>
          <ElementPicture base={head.base} category={category} ruleId={ruleId} location={location} />
        </section>
      )}
      <section aria-labelledby="code">
        <h2 id="code">{t("element.code")}</h2>
        <ElementCode html={location.html} cut={location.htmlCut} />
      </section>
      <section aria-labelledby="fix">
        <h2 id="fix">{t("element.fix")}</h2>
        <WhatToDo category={category} fix={fix} hints={location.fixes} />
      </section>
      {notes && <Notes path={rulePath(`${head.base}/notes`, rule) + `/${location.pageId}/${location.position}`} notes={notes} />}
      {category === "violations" && (
        <ElementAcceptance base={head.base} reader={head.reader} ruleId={ruleId} pageId={location.pageId} position={location.position} acceptance={acceptance} />
      )}
    </ReportFrame>
  );
}
