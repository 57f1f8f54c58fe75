import { AcceptedSection } from "./accepted-section";
import { Cover } from "./cover";
import { CriteriaSection } from "./criteria-section";
import { PagesSection } from "./pages-section";
import { RulesSection } from "./rules-section";
import { ScopeSection } from "./scope-section";
import { SummarySection } from "./summary-section";
import type { SectionProps } from "./section-props";

/** Report of a run for people, as one document for printing. @param style its style sheet */
export function Report({ view, words, style }: SectionProps & { style: string }) {
  return (
    <html lang={words.locale}>
      <head>
        <meta charSet="utf-8" />
        {/* Defence in depth, after escaping: injected markup cannot load or run anything. */}
        <meta
          httpEquiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:; base-uri 'none'; form-action 'none'"
        />
        <title>{words.fill(words.texts.title, { host: view.host })}</title>
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <Cover view={view} words={words} />
        <main>
          <SummarySection view={view} words={words} />
          <CriteriaSection view={view} words={words} />
          <RulesSection id="violations" isWhole={view.isWhole} rules={view.violations} words={words} {...words.texts.findings} {...noneOpenOf({ view, words })} />
          <AcceptedSection view={view} words={words} />
          <RulesSection id="review" isWhole={view.isWhole} rules={view.review} words={words} {...words.texts.review} />
          <PagesSection view={view} words={words} />
          <ScopeSection view={view} words={words} />
        </main>
      </body>
    </html>
  );
}

/** Texts for empty lists; only accepted findings is not the same as no findings. */
function noneOpenOf({ view, words }: SectionProps): { none?: string; noneSoFar?: string } {
  if (view.accepted.elements === 0) return {};
  const text = words.count(words.texts.accepted.noneOpen, view.accepted.elements);
  return { none: text, noneSoFar: text };
}
