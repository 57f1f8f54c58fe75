import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { PageHeading } from "~/ui/dialog/page-heading";
import { FormPage } from "~/ui/form/form-page";
import { KeptNotice } from "~/ui/form/kept-notice";
import { LocalTime } from "~/ui/local-time";
import type { FormAnswer } from "~/platform/forms/form-answer";
import type { AfterRemoval } from "~/billing/websites/website-slots";
import type { RemovalView } from "~/billing/websites/url-removal.server";

interface RemoveWebsiteProps extends RemovalView {
  id: number;
  after: AfterRemoval;
  /** Number of schedules of the website. */
  repeated: number;
  /** Whether the form was sent after the session had ended. */
  kept: boolean;
  answer?: FormAnswer;
}

/** Confirmation before a website is removed, with the effect; or the reason why it cannot be removed now. */
export function RemoveWebsite({ id, origin, planName, verdict, periodEnd, after, repeated, kept, answer }: RemoveWebsiteProps) {
  const { t } = useTranslation("billing");
  const host = new URL(origin).host;
  const back = <Link to="/profile/urls">{t("removal.back")}</Link>;
  if (verdict !== "possible") {
    return (
      <article className="form-page wrap">
        <PageHeading>{t("removal.impossible", { host })}</PageHeading>
        <p className="lead">{t(`urls.${verdict}`)}</p>
        {verdict === "too_soon" && (
          <p>
            <NextRemoval at={periodEnd} />
          </p>
        )}
        <p>{back}</p>
      </article>
    );
  }
  return (
    <FormPage
      heading={t("removal.heading", { host })}
      lead={
        <>
          {kept && !answer && <KeptNotice isButton />}
          <p>{t("removal.frees", { plan: planName })}</p>
        </>
      }
      answer={answer}
      action={`/profile/urls/remove?website=${id}`}
      submit={t("removal.submit")}
      danger
      after={back}
    >
      <ul>
        {after.reports > 0 && <li>{t("removal.reports", { count: after.reports })}</li>}
        <li>
          {after.covered ? t("removal.covered") : t("removal.locks")}
          {!after.covered && repeated > 0 && ` ${t("removal.pauses", { count: repeated })}`}
        </li>
        <li>
          {t("removal.once")} <NextRemoval at={periodEnd} />
        </li>
      </ul>
    </FormPage>
  );
}

function NextRemoval({ at }: { at: number | null }) {
  const { t } = useTranslation("billing");
  if (at === null) return null;
  return (
    <>
      {t("removal.next")} <LocalTime at={at} dateOnly />
    </>
  );
}
