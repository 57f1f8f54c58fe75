import { Address, AddressNotes, UntrustedText } from "./untrusted-text";
import type { SectionProps } from "./section-props";
import type { CheckedPageRow, FailedPage, Listing, PartialPage } from "./report-view";
import type { Words } from "./words.server";

interface ListProps<Row> extends Listing<Row> {
  words: Words;
}

/** Failed and partly checked pages, and the results of the checked ones. */
export function PagesSection({ view, words }: SectionProps) {
  const { failed, partial, checked } = view;
  return (
    <section id="pages">
      <h2>{words.texts.pages.heading}</h2>
      {failed.rows.length > 0 && <FailedPages {...failed} words={words} />}
      {partial.rows.length > 0 && <PartialPages {...partial} words={words} />}
      {checked.rows.length > 0 && <CheckedPages {...checked} words={words} />}
    </section>
  );
}

function FailedPages({ rows, more, words }: ListProps<FailedPage>) {
  const { pages } = words.texts;
  return (
    <>
      <h3>{pages.failedHeading}</h3>
      <p>{pages.failedIntro}</p>
      <table className="pages">
        <thead>
          <tr>
            <th scope="col">{pages.columns.page}</th>
            <th scope="col">{pages.reason}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ url, notes, reason, needsSignIn }) => (
            <tr key={url}>
              <th scope="row">
                <Address url={url} isLink={!needsSignIn} />
                <AddressNotes notes={notes} />
              </th>
              <td>{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <More more={more} words={words} />
      {rows.some(({ needsSignIn }) => needsSignIn) && <p>{pages.giveAccess}</p>}
    </>
  );
}

function PartialPages({ rows, more, words }: ListProps<PartialPage>) {
  const { pages } = words.texts;
  return (
    <>
      <h3>{pages.partialHeading}</h3>
      <p>{pages.partialIntro}</p>
      <table className="pages">
        <thead>
          <tr>
            <th scope="col">{pages.columns.page}</th>
            <th scope="col">{pages.missing}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ url, notes, missing }) => (
            <tr key={url}>
              <th scope="row">
                <Address url={url} />
                <AddressNotes notes={notes} />
              </th>
              <td>
                {missing.map((sentence) => (
                  <p key={sentence}>{sentence}</p>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <More more={more} words={words} />
    </>
  );
}

function CheckedPages({ rows, more, words }: ListProps<CheckedPageRow>) {
  const { pages } = words.texts;
  const { columns } = pages;
  return (
    <>
      <h3>{pages.checkedHeading}</h3>
      <table className="pages">
        <thead>
          <tr>
            <th scope="col">{columns.page}</th>
            <th scope="col" className="number">
              {columns.violations}
            </th>
            <th scope="col" className="number">
              {columns.elements}
            </th>
            <th scope="col" className="number">
              {columns.incomplete}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ url, notes, title, titleLang, violations, elements, incomplete }) => (
            <tr key={url}>
              <th scope="row">
                {title ? <UntrustedText text={title} lang={titleLang} /> : pages.noTitle}
                <br />
                <Address url={url} />
                <AddressNotes notes={notes} />
              </th>
              <td className="number">{words.number(violations)}</td>
              <td className="number">{words.number(elements)}</td>
              <td className="number">{words.number(incomplete)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <More more={more} words={words} />
    </>
  );
}

function More({ more, words }: { more: number; words: Words }) {
  return more > 0 ? <p>{words.count(words.texts.pages.more, more)}</p> : null;
}
