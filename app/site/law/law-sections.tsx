import type { ReactNode } from "react";
import type { LawSection } from "./law-pages";

interface LawSectionsProps {
  sections: LawSection[];
  /** Content after a section's text, by the section's id. */
  more?: Record<string, ReactNode>;
}

export function LawSections({ sections, more = {} }: LawSectionsProps) {
  return sections.map(({ id, heading, paragraphs, points }) => (
    <section key={id} aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {paragraphs.map((paragraph) => (
        <p key={paragraph} className="prose-line">
          {paragraph}
        </p>
      ))}
      {points.length > 0 && (
        <dl className="points">
          {points.map(({ term, text }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {more[id]}
    </section>
  ));
}
