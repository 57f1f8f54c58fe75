import { ImpactBadge } from "~/ui/impact-badge";
import { LocalizedText } from "~/ui/localized-text";
import { AffectedPeople } from "~/reports/view/rule/affected-people";
import { Example } from "./example";
import type { RuleReport } from "./report-view";
import type { Words } from "./words.server";

interface RulesSectionProps {
  id: string;
  heading: string;
  intro: string;
  /** Text for no rules; `noneSoFar` if pages, or parts of a page, were left unchecked. */
  none: string;
  noneSoFar: string;
  isWhole: boolean;
  rules: RuleReport[];
  words: Words;
}

/** Rules one by one, each with examples of its elements. */
export function RulesSection({ id, heading, intro, none, noneSoFar, isWhole, rules, words }: RulesSectionProps) {
  return (
    <section id={id}>
      <h2>{heading}</h2>
      <p>{rules.length > 0 ? intro : isWhole ? none : noneSoFar}</p>
      {rules.map((rule) => (
        <Rule key={rule.id} rule={rule} words={words} />
      ))}
    </section>
  );
}

function Rule({ rule, words }: { rule: RuleReport; words: Words }) {
  const { texts, count, fill } = words;
  const { findings } = texts;
  const extent = fill(findings.extent, {
    elements: count(findings.elements, rule.elements),
    pages: count(texts.summary.onPages, rule.pages),
  });
  return (
    <section className="rule" id={rule.id}>
      <h3>
        <LocalizedText {...rule.title} />
      </h3>
      <p className="extent">
        <ImpactBadge impact={rule.impact} /> <span>{extent}</span>
      </p>
      <p>
        <LocalizedText {...rule.description} />
      </p>
      <AffectedPeople {...rule.people} />
      <dl className="about">
        <dt>{findings.criteria}</dt>
        <dd>{rule.criteria.length > 0 ? rule.criteria.join(", ") : findings.bestPractice}</dd>
        <dt>{findings.rule}</dt>
        <dd>
          <code>{rule.ruleId}</code> · <a href={rule.helpUrl}>{findings.learnMore}</a>
        </dd>
      </dl>
      {rule.isLocked && <p className="hidden">{findings.inPro}</p>}
      {rule.groups.length > 0 && (
        <>
          <h4>{findings.examples}</h4>
          <ol className="examples">
            {rule.groups.map((group, index) => (
              <Example key={index} group={group} words={words} />
            ))}
          </ol>
        </>
      )}
      {rule.hidden > 0 && (
        <p className="hidden">
          {count(findings.hidden, rule.hidden)} {findings.hiddenWhere}
        </p>
      )}
    </section>
  );
}
