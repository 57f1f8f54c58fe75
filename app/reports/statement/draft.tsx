import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import type { StatementDocument } from "./document";

interface StatementDraftProps {
  path: string;
  /** Answers, as in the address. */
  query: string;
  draft: StatementDocument;
}

/** A draft to read, with its downloads. */
export function StatementDraft({ path, query, draft }: StatementDraftProps) {
  const { t } = useTranslation("statement");
  return (
    <>
      <p className="lead">{t("result.text")}</p>
      <ul className="plain-list">
        <li>
          {/* A file: client-side routing must not fetch it as a page. */}
          <Link reloadDocument className="target" to={`${path}.html${query}`}>
            {t("result.html")}
          </Link>
        </li>
        <li>
          <Link reloadDocument className="target" to={`${path}.txt${query}`}>
            {t("result.text_file")}
          </Link>
        </li>
      </ul>
      <article className="statement prose" lang={draft.lang} aria-labelledby="draft">
        <h2 id="draft">{draft.title}</h2>
        <p>{draft.note}</p>
        {draft.sections.map(({ heading, paragraphs, list }) => (
          <section key={heading}>
            <h3>{heading}</h3>
            {paragraphs.map((paragraph, index) => (
              <p key={index} className="typed">
                {paragraph}
              </p>
            ))}
            {list.length > 0 && (
              <ul>
                {list.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
            )}
          </section>
        ))}
      </article>
    </>
  );
}
