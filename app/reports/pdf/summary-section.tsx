import type { ReactNode } from "react";
import { ImpactBadge } from "~/ui/impact-badge";
import { CATEGORIES, IMPACTS } from "~/scan/types";
import { languageOf } from "./untrusted-text";
import type { SectionProps } from "./section-props";
import type { RuleReport } from "./report-view";

/** Number of rules to fix first: about a day's work. */
const FIRST_RULES = 5;

/** Summary on one page: the result, and the rules to fix first. */
export function SummarySection({ view, words }: SectionProps) {
  const { texts, count } = words;
  const { summary } = texts;
  const first = view.violations.slice(0, FIRST_RULES);
  const more = view.violations.length - first.length;
  return (
    <section className="summary">
      <h2>{summary.heading}</h2>
      <p className="lead">{verdictOf({ view, words })}</p>
      {first.length > 0 && (
        <>
          <p>{summary.order}</p>
          <FirstRules rules={first} words={words} />
        </>
      )}
      {more > 0 && <p>{count(summary.more, more)}</p>}
      {view.review.length > 0 && <p>{count(summary.review, view.review.length)}</p>}
      <Warnings view={view} words={words} />
      <h3>{summary.counts}</h3>
      <div className="numbers">
        <Categories view={view} words={words} />
        {view.violations.length > 0 && <Impacts view={view} words={words} />}
      </div>
    </section>
  );
}

function verdictOf({ view, words }: SectionProps): string {
  const { texts, fill, count } = words;
  const { summary } = texts;
  if (view.pages.checked === 0) return summary.nothing;
  if (view.violations.length === 0) {
    if (view.accepted.elements > 0) return count(texts.accepted.noneOpen, view.accepted.elements);
    return view.isWhole ? summary.none : summary.noneSoFar;
  }
  return fill(summary.found, {
    rules: count(summary.violated, view.violations.length),
    elements: count(summary.withElements, view.elements),
    checked: count(summary.checked, view.pages.checked),
  });
}

function FirstRules({ rules, words }: Pick<SectionProps, "words"> & { rules: RuleReport[] }) {
  const { columns } = words.texts.summary;
  return (
    <table className="first">
      <thead>
        <tr>
          <th scope="col">{columns.problem}</th>
          <th scope="col">{columns.impact}</th>
          <th scope="col" className="number">
            {columns.elements}
          </th>
          <th scope="col" className="number">
            {columns.pages}
          </th>
        </tr>
      </thead>
      <tbody>
        {rules.map(({ id, title, impact, people, elements, pages }, index) => (
          <tr key={id}>
            <th scope="row">
              {index + 1}.{" "}
              <a href={`#${id}`} {...languageOf(title, words)}>
                {title.text}
              </a>
              <p className="why">{words.t(`fixes:why.${people.barrier}`)}</p>
            </th>
            <td>
              <ImpactBadge impact={impact} />
            </td>
            <td className="number">{words.number(elements)}</td>
            <td className="number">{words.number(pages)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Limitations of the result. */
function Warnings({ view, words }: SectionProps) {
  const { warnings } = words.texts;
  const { failed, partial } = view.pages;
  const said = [
    ...(view.canceled ? [warnings.canceled] : []),
    ...(view.brokenOff ? [warnings.brokenOff] : []),
    ...(view.accepted.elements > 0 && view.violations.length > 0 ? [words.count(words.texts.accepted.notice, view.accepted.elements)] : []),
    ...(failed > 0 ? [words.count(warnings.failed, failed)] : []),
    ...(partial > 0 ? [words.count(warnings.partial, partial)] : []),
    ...(view.evidence === "kept" ? [] : [warnings.evidence[view.evidence]]),
    ...(view.picturesUnreachable ? [warnings.picturesUnreachable] : []),
    ...(view.acceptedUnknown ? [warnings.acceptedUnknown] : []),
    ...(view.limited ? [warnings.limited] : []),
  ];
  if (said.length === 0) return null;
  return (
    <aside className="notice">
      <h3>{warnings.heading}</h3>
      <ul>
        {said.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p>{warnings.details}</p>
    </aside>
  );
}

function Categories({ view, words }: SectionProps) {
  const rows = CATEGORIES.map((category) => ({ key: category, name: words.t(`check:counts.${category}`), rules: view.counts[category] }));
  return <RuleCounts heading={words.texts.summary.category} rows={rows} words={words} />;
}

function Impacts({ view, words }: SectionProps) {
  const rows = IMPACTS.map((impact) => ({ key: impact, name: <ImpactBadge impact={impact} />, rules: view.impacts[impact] }));
  return <RuleCounts heading={words.texts.summary.byImpact} rows={rows} words={words} />;
}

function RuleCounts({ heading, rows, words }: Pick<SectionProps, "words"> & { heading: string; rows: { key: string; name: ReactNode; rules: number }[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{heading}</th>
          <th scope="col" className="number">
            {words.texts.summary.rules}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, rules }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            <td className="number">{words.number(rules)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
