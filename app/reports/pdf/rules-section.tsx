import { ImpactBadge } from "~/ui/impact-badge";
import { AffectedPeople } from "~/reports/view/rule/affected-people";
import { Example } from "./example";
import { Fact, Facts } from "./facts";
import { languageOf } from "./untrusted-text";
import type { RuleReport } from "./report-view";
import type { Words } from "./words.server";

interface RulesSectionProps {
  id: string;
  heading: string;
  intro: string;
  /** Text for no rules; `noneSoFar` if pages, or parts of a page, were not checked. */
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
      <h3 {...languageOf(rule.title, words)}>{rule.title.text}</h3>
      <p className="extent">
        <ImpactBadge impact={rule.impact} /> <span>{extent}</span>
      </p>
      <p {...languageOf(rule.description, words)}>{rule.description.text}</p>
      <AffectedPeople {...rule.people} />
      <Facts className="about">
        <Fact term={findings.criteria}>{rule.criteria.length > 0 ? rule.criteria.join(", ") : findings.bestPractice}</Fact>
        <Fact term={findings.rule}>
          <code>{rule.ruleId}</code> · <a href={rule.helpUrl} title={fill(findings.learnMoreAbout, { title: rule.title.text })}>
            {findings.learnMore}
          </a>
        </Fact>
      </Facts>
      {rule.isLocked && <p className="hidden">{findings.inPro}</p>}
      {rule.groups.length > 0 && (
        <>
          <h4>{findings.examples}</h4>
          <ol className="examples">
            {rule.groups.map((group, index) => (
              <Example key={index} group={group} title={rule.title.text} words={words} />
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
