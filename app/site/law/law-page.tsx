import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLanguagePath } from "~/ui/use-language-path";
import type { LawPageKey, LawPageTexts } from "./law-pages";
import { LegalDisclaimer } from "./legal-disclaimer";
import { CriteriaTable } from "./criteria-table";
import { LawSections } from "./law-sections";
import { ResourceList } from "./resource-list";
import { Timeline } from "./timeline";

interface LawPageProps {
  page: LawPageKey;
  /** Unix time in ms. */
  now: number;
}

/** Content at the end of a section, by the section's id. */
const MORE: Partial<Record<LawPageKey, Record<string, ReactNode>>> = {
  wcag: { versions: <CriteriaTable /> },
};

/** Page about a law or standard: overview, timeline, contents, next step, official texts. */
export function LawPage({ page, now }: LawPageProps) {
  const { t } = useTranslation("law");
  const languagePath = useLanguagePath();
  const texts: LawPageTexts = t(page, { returnObjects: true });
  const { heading, lead, overview, timeline, sections, action, resources } = texts;

  return (
    <article className="law-page">
      <header className="law-hero">
        <div className="wrap">
          <h1>{heading}</h1>
          <p className="lead">{lead}</p>
          <LegalDisclaimer />
          {page === "bfsg" && (
            <p>
              <Link className="button" to={languagePath("/bfsg/check")}>
                {t("check.link")}
              </Link>
            </p>
          )}
        </div>
      </header>
      <div className="wrap">
        <section aria-labelledby="overview">
          <h2 id="overview">{overview.heading}</h2>
          <dl className="facts-list">
            {overview.facts.map(({ term, text }) => (
              <div key={term}>
                <dt>{term}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
          <nav className="on-this-page" aria-label={t("onThisPage")}>
            <ul>
              <li>
                <a href="#timeline">{timeline.heading}</a>
              </li>
              {sections.map((section) => (
                <li key={section.id}>
                  <a href={`#${section.id}`}>{section.heading}</a>
                </li>
              ))}
              <li>
                <a href="#resources">{resources.heading}</a>
              </li>
            </ul>
          </nav>
        </section>
        <section aria-labelledby="timeline">
          <h2 id="timeline">{timeline.heading}</h2>
          <p className="prose-line">{timeline.lead}</p>
          <Timeline events={timeline.events} now={now} />
        </section>
        <LawSections sections={sections} more={MORE[page]} />
        <section className="next-step" aria-labelledby="action">
          <h2 id="action">{action.heading}</h2>
          <p className="prose-line">{action.text}</p>
          <p>
            <Link className="button" to="/">
              {action.label}
            </Link>
          </p>
        </section>
        <section aria-labelledby="resources">
          <h2 id="resources">{resources.heading}</h2>
          <ResourceList links={resources.links} />
        </section>
      </div>
    </article>
  );
}
