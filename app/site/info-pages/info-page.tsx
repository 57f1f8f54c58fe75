import { Link } from "@remix-run/react";
import type { PageLink, PageResults, InfoPageTexts } from "./info-pages.server";
import { Icon } from "~/ui/icon";

/** A page of plain text: lead, sections, links. */
export function InfoPage({ title, lead, missing, sections, links, locale }: InfoPageTexts & { locale: string }) {
  return (
    <article className="info-page wrap prose">
      <h1>{title}</h1>
      <p className="lead">{lead}</p>
      {missing && (
        <p className="notice">
          <Icon name="alert" />
          <span>{missing}</span>
        </p>
      )}
      {sections.map((section) => (
        <section key={section.heading}>
          <h2>{section.heading}</h2>
          {section.paragraphs.map((paragraph) => (
            <p key={paragraph}>
              <WithMailLinks text={paragraph} />
            </p>
          ))}
          {section.list.length > 0 && (
            <ul>
              {section.list.map((item) => (
                <li key={item}>
                  <WithMailLinks text={item} />
                </li>
              ))}
            </ul>
          )}
          <Results results={section.results} />
          <Links links={section.links} locale={locale} />
        </section>
      ))}
      <Links links={links} locale={locale} />
    </article>
  );
}

function Links({ links, locale }: { links: PageLink[]; locale: string }) {
  if (links.length === 0) return null;
  return (
    <ul className="link-list">
      {links.map(({ label, href, lang }) => (
        <li key={href}>
          {href.startsWith("/") ? (
            <Link to={href}>{label}</Link>
          ) : (
            <a href={href} hrefLang={lang === locale ? undefined : lang}>
              {label}
              <Icon name="external" size={16} />
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

function Results({ results }: { results: PageResults[] }) {
  if (results.length === 0) return null;
  return (
    <dl className="facts-list facts-list-wide">
      {results.map(({ path, title, lines }) => (
        <div key={path}>
          <dt>
            <Link to={path}>{title}</Link>
          </dt>
          <dd>
            {lines.map((line) => (
              <div key={line}>{line}</div>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const MAIL_ADDRESS = /([\w.+-]+@[\w-]+(?:\.[\w-]+)+)/;

function WithMailLinks({ text }: { text: string }) {
  // Splitting by a pattern with a group puts each address at an odd position.
  return text
    .split(MAIL_ADDRESS)
    .map((part, position) => (position % 2 === 1 ? <a key={part} href={`mailto:${part}`}>{part}</a> : part));
}
