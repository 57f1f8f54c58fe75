import { ProposedFix } from "~/reports/view/rule/fix";
import type { Review } from "~/reports/review/answer";
import type { FailureList } from "~/findings/check-view";
import { Fact, Facts } from "./facts";
import { Address, AddressNotes, languageOf, UntrustedText } from "./untrusted-text";
import type { ExampleGroup } from "./report-view";
import { signature } from "./signature";
import type { Words } from "./words.server";

interface ExampleProps {
  group: ExampleGroup;
  /** Title of the rule. */
  title: string;
  words: Words;
}

/** Similar elements: one example, its tasks, and the positions of the first ones. */
export function Example({ group, title, words }: ExampleProps) {
  const { texts, count, fill } = words;
  const { findings } = texts;
  return (
    <li>
      <p className="source">
        <code dir="ltr">{group.html}</code>
        {group.htmlCut && <span className="cut"> ({findings.cut})</span>}
      </p>
      {group.picture && <img src={group.picture} alt={pictureText(group, title, words)} />}
      {group.fixes?.map((list) => (
        <Fixes key={list.heading} {...list} words={words} />
      ))}
      {group.fix && <ProposedFix fix={group.fix} />}
      {group.judgement && <Judged {...group.judgement} words={words} />}
      <InWords inWords={group.inWords} words={words} />
      {group.locations.map(({ url, notes, number, target }, index) => (
        <Facts className="place" key={index}>
          <Fact term={findings.page}>
            <Address url={url} />
            <AddressNotes notes={notes} />
          </Fact>
          <Fact term={fill(findings.where, { number: String(number) })}>
            <code dir="ltr">{target}</code>
          </Fact>
        </Facts>
      ))}
      {group.more > 0 && <p className="more">{count(findings.same, group.more)}</p>}
    </li>
  );
}

function Fixes({ heading, items, words }: FailureList & { words: Words }) {
  return (
    <div className="fixes">
      <p>{heading}</p>
      <ul>
        {items.map((item) => (
          <li key={item.text} {...languageOf(item, words)}>
            <bdi>{item.text}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Judged({ answer, reason, words, ...judge }: Review & { words: Words }) {
  const { review } = words.texts;
  return (
    <p className="judged">
      <strong>{review.judged}:</strong> {words.fill(review.by, { answer: review.answers[answer], by: signature(judge, words) })}
      {reason && (
        <>
          {" "}
          <bdi>{reason}</bdi>
        </>
      )}
    </p>
  );
}

/** Text alternative that distinguishes a picture from those of other rules. */
function pictureText({ inWords, locations }: ExampleGroup, title: string, { texts, fill }: Words): string {
  const { picture, pictureNamed } = texts.findings;
  return fill(inWords.name ? pictureNamed : picture, { title, name: inWords.name ?? "", url: locations[0]?.url ?? "" });
}

/** Location of the first element, for users of the page. */
function InWords({ inWords: { name, heading, lang }, words }: Pick<ExampleGroup, "inWords"> & { words: Words }) {
  const { findings } = words.texts;
  if (!name && !heading) return null;
  return (
    <Facts className="place">
      {name && (
        <Fact term={findings.name}>
          <UntrustedText text={name} lang={lang} />
        </Fact>
      )}
      {heading && (
        <Fact term={findings.below}>
          <UntrustedText text={heading} lang={lang} />
        </Fact>
      )}
    </Facts>
  );
}
