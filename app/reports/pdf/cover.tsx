import { Fact, Facts } from "./facts";
import { Address, AddressNotes, UntrustedText } from "./untrusted-text";
import type { ReportCover } from "~/reports/report-cover.server";
import type { SectionProps } from "./section-props";

/** Cover: subject, time and method of the check; limits of the report. */
export function Cover({ view, words }: SectionProps) {
  const { texts, t, count, date, fill, number } = words;
  const pages = view.pages.checked + view.pages.failed;
  const { cover } = texts;
  return (
    <header className="cover">
      <div className="stage">
        {view.cover ? <OwnBrand {...view.cover} /> : <Brand />}
        <p className="kind">{texts.kind}</p>
        <h1>
          <UntrustedText text={view.host} lang="" />
        </h1>
      </div>
      <Facts className="about-run">
        <Fact term={cover.checked}>{date(view.checkedAt)}</Fact>
        <Fact term={cover.address}>
          <Address url={view.url} />
          <AddressNotes notes={view.urlNotes} />
        </Fact>
        <Fact term={cover.standard}>{view.inPart ? `${view.standard}: ${t("report:inPart")}` : view.standard}</Fact>
        <Fact term={cover.scope}>
          {view.scope === "page" ? cover.onePage : count(cover.wholeSite, pages)}
          {view.pages.failed > 0 && <div>{count(cover.unchecked, view.pages.failed, { pages: number(pages) })}</div>}
        </Fact>
        <Fact term={cover.engine}>{view.engine}</Fact>
        <Fact term={cover.operator}>{view.operator ? fill(cover.operatorBy, { name: view.operator }) : cover.operatorNone}</Fact>
        <Fact term={cover.online}>
          {/* No link, as it would lead to a sign-in. */}
          <Address url={view.online.url} isLink={view.online.sharedUntil !== null} />
          <AddressNotes notes={[view.online.sharedUntil === null ? cover.onlineNote : fill(cover.sharedNote, { date: date(view.online.sharedUntil) })]} />
        </Fact>
      </Facts>
      <p className="note">{cover.note}</p>
    </header>
  );
}

function Brand() {
  return (
    <p className="brand">
      <svg viewBox="0 0 32 32" width="40" height="40" aria-hidden="true">
        <path className="ramp" d="M2 26 22 10h8v16Z" />
        <circle className="dot" cx="10.5" cy="10.5" r="4.5" />
      </svg>
      Rampe
    </p>
  );
}

/** Name and logo of the account, on white: the logo may have the colour of its brand. */
function OwnBrand({ name, logo }: ReportCover) {
  return (
    <p className="brand">
      {logo && <img className="logo" src={logo} alt="" />}
      <bdi>{name}</bdi>
    </p>
  );
}
