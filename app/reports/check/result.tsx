import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import type { FinishedCheck } from "~/findings/check-view";
import { AddressNotes } from "~/findings/view/page-address";
import { CheckForm } from "~/runs/view/check-form";
import { Icon } from "~/ui/icon";
import { LocalTime } from "~/ui/local-time";
import { AtAGlance } from "./at-a-glance";
import { CheckGaps } from "./check-gaps";
import { RuleList } from "./rule-list";
import { Violation } from "./violation";
import { WhatWasChecked } from "./what-was-checked";

interface ResultProps extends FinishedCheck {
  /** Address for unlocking the full report. */
  unlockAt: string;
  /** Whether the full report has to be bought. */
  sold: boolean;
}

/** The result of a free check, from the summary to the next step. */
export function Result({ unlockAt, sold, ...check }: ResultProps) {
  const { t } = useTranslation("check");
  const { host, url, violations, locked, incomplete, gaps } = check;
  const complete = gaps.partial.length + gaps.frames.length + gaps.closedShadowRoots === 0 && !gaps.unfinished && !gaps.concealed && gaps.late.length === 0 && !gaps.missing;

  return (
    <article className="check-page wrap">
      <h1>{t("result.heading", { host })}</h1>
      <p className="lead">
        <Summary {...check} complete={complete} />
      </p>
      {!complete && (
        <p className="notice">
          <Icon name="alert" />
          <span>
            {t("result.partial")} <a href="#not-checked">{t("gaps.heading")}</a>
          </span>
        </p>
      )}
      {check.evidenceGone && <p className="hint">{t("result.evidenceGone")}</p>}
      {check.picturesUnreachable && <p className="hint">{t("result.picturesUnreachable")}</p>}
      <p className="hint">
        {t("result.checked", { standard: check.checked.standard })} <LocalTime at={check.checked.at} brief />. <a href="#checked">{t("checked.heading")}</a>
        <AddressNotes reached={check.reached} />
      </p>
      <AtAGlance {...check} />

      <section aria-labelledby="violations">
        <h2 id="violations">{t("violations.heading")}</h2>
        <ViolationsIntro shown={violations.length} total={violations.length + locked.length} complete={complete} />
        {violations.map((violation) => (
          <Violation key={violation.ruleId} {...violation} />
        ))}
      </section>

      {locked.length > 0 && (
        <section aria-labelledby="locked">
          <h2 id="locked">{t("locked.heading")}</h2>
          <p className="prose-line">{t("locked.intro")}</p>
          <RuleList rules={locked} category="violations" locked />
          <p>
            <Link className="button" to={unlockAt}>
              {t("locked.unlock")}
            </Link>
          </p>
          <p className="hint">{t(sold ? "locked.how" : "locked.howOpen")}</p>
        </section>
      )}

      <section aria-labelledby="incomplete">
        <h2 id="incomplete">{t("incomplete.heading")}</h2>
        <p className="prose-line">{t(incomplete.length > 0 ? "incomplete.intro" : complete ? "incomplete.none" : "incomplete.noneSoFar")}</p>
        <RuleList rules={incomplete} category="incomplete" />
      </section>

      <section aria-labelledby="limits" className="prose">
        <h2 id="limits">{t("limits.heading")}</h2>
        <p>{t("limits.text")}</p>
        <ul>
          {t("limits.questions", { returnObjects: true }).map((question) => (
            <li key={question}>{question}</li>
          ))}
        </ul>
      </section>

      <CheckGaps {...gaps} />

      <WhatWasChecked url={url} reached={check.reached} {...check.checked} />

      <section aria-labelledby="next" className="next-step">
        <h2 id="next">{t("next.heading")}</h2>
        <ul>
          <li>{violations.length > 0 ? t("next.fix") : t("next.fixNone")}</li>
          <li>{t("next.share")}</li>
          <li>
            <Link to={unlockAt}>{t(sold ? "next.whole" : "next.wholeOpen")}</Link>
          </li>
        </ul>
        <h3>{t("next.again")}</h3>
        <CheckForm typed={url} />
      </section>
    </article>
  );
}

function Summary({ counts, elements, complete }: FinishedCheck & { complete: boolean }) {
  const { t } = useTranslation("check");
  if (counts.violations === 0 && !complete) return t("result.summaryNoneSoFar");
  return (
    <>
      {t("result.summary", {
        count: counts.violations,
        problems: t("result.problems", { count: counts.violations }),
        places: t("result.places", { count: elements }),
      })}
    </>
  );
}

function ViolationsIntro({ shown, total, complete }: { shown: number; total: number; complete: boolean }) {
  const { t } = useTranslation("check");
  if (total === 0) {
    return (
      <p className="prose-line">
        {complete ? t("violations.none") : t("violations.noneSoFar")} {t("violations.noneHint")}
      </p>
    );
  }
  return (
    <p className="prose-line">
      {shown === total ? t("violations.introAll", { count: total }) : t("violations.intro", { shown, total })}
    </p>
  );
}
