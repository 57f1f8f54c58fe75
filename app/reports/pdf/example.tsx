import { LocalizedText } from "~/ui/localized-text";
import { ProposedFix } from "~/reports/view/rule/fix";
import type { Review } from "~/reports/review/answer";
import type { FailureList } from "~/findings/check-view";
import { Address, AddressNotes, UntrustedText } from "./untrusted-text";
import type { ExampleGroup } from "./report-view";
import type { Words } from "./words.server";

interface ExampleProps {
  group: ExampleGroup;
  words: Words;
}

/** Similar elements: one example, what to do, and the positions of the first ones. */
export function Example({ group, words }: ExampleProps) {
  const { texts, t, count } = words;
  const { findings } = texts;
  return (
    <li>
      <p className="source">
        <code dir="ltr">{group.html}</code>
        {group.htmlCut && <span className="cut"> ({findings.cut})</span>}
      </p>
      {group.picture && <img src={group.picture} alt={t("report:element.pictureOf")} />}
      {group.fixes?.map((list) => (
        <Fixes key={list.heading} {...list} />
      ))}
      {group.fix && <ProposedFix fix={group.fix} />}
      {group.judgement && <Judged {...group.judgement} words={words} />}
      <InWords group={group} words={words} />
      {group.locations.map(({ url, notes, target }, index) => (
        <dl className="place" key={index}>
          <dt>{findings.page}</dt>
          <dd>
            <Address url={url} />
            <AddressNotes notes={notes} />
          </dd>
          <dt>{findings.where}</dt>
          <dd>
            <code dir="ltr">{target}</code>
          </dd>
        </dl>
      ))}
      {group.more > 0 && <p className="more">{count(findings.same, group.more)}</p>}
    </li>
  );
}

function Fixes({ heading, items }: FailureList) {
  return (
    <div className="fixes">
      <p>{heading}</p>
      <ul>
        {items.map((item) => (
          <li key={item.text}>
            <bdi>
              <LocalizedText {...item} />
            </bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Judged({ answer, reason, by, at, words }: Review & { words: Words }) {
  const { review } = words.texts;
  return (
    <p className="judged">
      <strong>{review.judged}:</strong> {words.fill(review.by, { answer: review.answers[answer], name: by, date: words.date(at) })}
      {reason && (
        <>
          {" "}
          <bdi>{reason}</bdi>
        </>
      )}
    </p>
  );
}

/** How a user finds the first element on the page. */
function InWords({ group, words }: ExampleProps) {
  const { name, heading, lang } = group.inWords;
  if (!name && !heading) return null;
  return (
    <dl className="place">
      {name && (
        <>
          <dt>{words.texts.findings.name}</dt>
          <dd>
            <UntrustedText text={name} lang={lang} />
          </dd>
        </>
      )}
      {heading && (
        <>
          <dt>{words.texts.findings.below}</dt>
          <dd>
            <UntrustedText text={heading} lang={lang} />
          </dd>
        </>
      )}
    </dl>
  );
}
