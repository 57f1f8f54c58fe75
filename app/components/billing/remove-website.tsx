import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { PageHeading } from "~/components/dialog/page-heading";
import { FormPage } from "~/components/form/form-page";
import { LocalTime } from "~/components/local-time";
import type { FormAnswer } from "~/lib/form-answer";
import type { RemovalView } from "~/models/purchase.server";

interface RemoveWebsiteProps extends RemovalView {
  id: number;
  /** Reports that can be read only as long as the website is registered. */
  locking: number;
  /** Scans that are repeated only as long as it is registered. */
  repeated: number;
  answer?: FormAnswer;
}

/** Asks before a website is removed, and says what that means; or why it cannot be removed now. */
export function RemoveWebsite({ id, origin, planName, verdict, periodEnd, locking, repeated, answer }: RemoveWebsiteProps) {
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
      lead={<p>{t("removal.frees", { plan: planName })}</p>}
      answer={answer}
      action={`/profile/urls/remove?website=${id}`}
      submit={t("removal.submit")}
      danger
      after={back}
    >
      <ul>
        <li>{locking > 0 ? t("removal.locks", { count: locking }) : t("removal.locksNothing")}</li>
        {repeated > 0 && <li>{t("removal.pauses", { count: repeated })}</li>}
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
