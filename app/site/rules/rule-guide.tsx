import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ExampleKind, RuleGuide as Guide } from "~/findings/rules/guide.server";
import { ElementCode } from "~/reports/check/element-code";
import { AffectedPeople } from "~/reports/view/rule/affected-people";
import { Icon } from "~/ui/icon";
import { ImpactBadge } from "~/ui/impact-badge";
import { LocalizedText } from "~/ui/localized-text";
import { planOfRule } from "./plan-of-rule";

/** Guide to one rule: affected people, test, examples, fix, limits, sources. */
export function RuleGuide(guide: Guide) {
  const { id, help, description, barrier, people, tested, fix, limits, sources, asksOnly, fails, passes } = guide;
  const { t } = useTranslation("rulebook");
  return (
    <article className="info-page wrap prose">
      <p>
        <Link className="target" to="/rules">
          {t("guide.back")}
        </Link>
      </p>
      <h1>
        <LocalizedText {...help} />
      </h1>
      <p className="lead">
        <LocalizedText {...description} />
      </p>
      <Facts {...guide} />
      <Part id="who">
        <AffectedPeople barrier={barrier} people={people} />
      </Part>
      <Part id="tested">
        <p>{tested}</p>
      </Part>
      <Part id="examples">
        <Example id={id} kind="fails" heading={t(asksOnly ? "guide.asked" : "guide.fails")} source={fails} />
        <Example id={id} kind="passes" heading={t("guide.passes")} source={passes} />
      </Part>
      <Part id="fix">
        <p>{fix}</p>
      </Part>
      <Part id="limits">
        <p>{limits}</p>
      </Part>
      <Part id="sources">
        <Sources sources={sources} />
      </Part>
      <section className="next-step" aria-labelledby="next">
        <h2 id="next">{t("guide.next")}</h2>
        <p>{t("guide.nextText")}</p>
        <p>
          <Link className="button" to="/">
            {t("guide.nextLabel")}
          </Link>
        </p>
      </section>
    </article>
  );
}

function Part({ id, children }: { id: "who" | "tested" | "examples" | "fix" | "limits" | "sources"; children: ReactNode }) {
  const { t } = useTranslation("rulebook");
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{t(`guide.${id}`)}</h2>
      {children}
    </section>
  );
}

function Facts(guide: Guide) {
  const { id, title, engine, since, criteria, level, impact, asksOnly, neverAsks } = guide;
  const { t } = useTranslation("rulebook");
  const outcome = asksOnly ? "asks" : neverAsks ? "failsOnly" : "fails";
  const clauses = criteria.flatMap(({ clause }) => clause ?? []);
  return (
    <dl className="facts-list">
      <div>
        <dt>{t("guide.facts.title")}</dt>
        <dd>
          <LocalizedText {...title} />
        </dd>
      </div>
      <div>
        <dt>{t("guide.facts.id")}</dt>
        <dd>
          <code translate="no">{id}</code>
        </dd>
      </div>
      <div>
        <dt>{t("guide.facts.engine")}</dt>
        <dd>{t(`guide.engine.${engine}`)}</dd>
      </div>
      {since !== null && (
        <div>
          <dt>{t("guide.facts.since")}</dt>
          <dd>{t("guide.since", { version: since })}</dd>
        </div>
      )}
      <div>
        <dt>{t("guide.facts.criteria")}</dt>
        <dd>
          <ul className="plain-list">
            {criteria.map(({ number, name }) => (
              <li key={number}>
                <Link to={`/rules#criterion-${number}`}>{name}</Link>
              </li>
            ))}
          </ul>
        </dd>
      </div>
      <div>
        <dt>{t("guide.facts.level")}</dt>
        <dd>{level}</dd>
      </div>
      <div>
        <dt>{t("guide.facts.clauses")}</dt>
        <dd>{clauses.length > 0 ? clauses.join(", ") : t("guide.noClause")}</dd>
      </div>
      <div>
        <dt>{t("guide.facts.impact")}</dt>
        <dd>
          <ImpactBadge impact={impact} />
        </dd>
      </div>
      <div>
        <dt>{t("guide.facts.outcome")}</dt>
        <dd>{t(`guide.outcome.${outcome}`)}</dd>
      </div>
      <div>
        <dt>{t("guide.facts.plan")}</dt>
        <dd>{t(`guide.plan.${planOfRule(guide)}`)}</dd>
      </div>
    </dl>
  );
}

interface ExampleProps {
  /** Id of the rule. */
  id: string;
  kind: ExampleKind;
  heading: string;
  source: string;
}

/** An example as source, with a link to a page that shows it. */
function Example({ id, kind, heading, source }: ExampleProps) {
  const { t, i18n } = useTranslation("rulebook");
  return (
    <>
      <h3 id={kind}>{heading}</h3>
      <ElementCode html={source} cut={false} />
      <p>
        {/* A separate page without scripts: a barrier in an example would otherwise be a barrier of this page. */}
        <a className="target" href={`/rules/${id}/${kind}.${i18n.language}.html`} aria-label={t("guide.showOf", { example: heading })}>
          {t("guide.show")}
        </a>
        {kind === "fails" && <> {t("guide.barrier")}</>}
      </p>
    </>
  );
}

function Sources({ sources }: Pick<Guide, "sources">) {
  const { i18n } = useTranslation("rulebook");
  return (
    <ul className="link-list">
      {sources.map(({ name, href }) => (
        <li key={href}>
          <a href={href} hrefLang="en" lang={i18n.language === "en" ? undefined : "en"}>
            {name}
            <Icon name="external" size={16} />
          </a>
        </li>
      ))}
    </ul>
  );
}
