import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { choicePath } from "~/billing/plans/choice";
import { FormPage } from "~/ui/form/form-page";
import { KeptNotice } from "~/ui/form/kept-notice";
import { errorOf, HAD_SECRETS, type FormAnswer } from "~/platform/forms/form-answer";
import type { ScanEntitlement } from "~/runs/scan-request.server";
import { UsagePreview } from "./usage-preview";
import { RegisteredWebsites } from "./registered-websites";
import { RunFields } from "./run-fields";

/** Refusals that another plan solves, with the field that shows them. */
const NEEDS_PLAN = [
  { field: "url", why: "full" },
  { field: "url", why: "nothing_bought" },
  { field: "url", why: "trial_used" },
  { field: "scope", why: "site_is_paid" },
] as const;

interface NewRunProps {
  /** True if the form was sent after the end of the session. */
  kept: boolean;
  values: Partial<Record<string, string>>;
  entitlement: ScanEntitlement;
  /** Websites whose scans do not count again. */
  websites: string[];
  /** Limits of this installation. */
  maxPages: number;
  mostWaitMs: number;
  answer?: FormAnswer;
}

export function NewRun({ kept, values, entitlement, websites, maxPages, mostWaitMs, answer }: NewRunProps) {
  const { t } = useTranslation("runs");
  const refusal = NEEDS_PLAN.find(({ field, why }) => errorOf(answer, field) === t(`problem.${why}`));
  const running = answer?.values.running;
  return (
    <FormPage
      heading={t("new.heading")}
      lead={
        <>
          {kept && !answer && <KeptNotice />}
          <UsagePreview {...entitlement} />
        </>
      }
      answer={answer}
      action="/runs/new"
      submit={t("new.submit")}
      after={
        <>
          {running !== undefined && (
            <p>
              <Link to={`/run/${running}`}>{t("new.toRunning")}</Link>
            </p>
          )}
          {refusal && (
            <p>
              <Link to={choicePath("/setup", { url: answer?.values.url })}>{t(refusal.why === "full" ? "new.more" : "usage.plans")}</Link>
            </p>
          )}
          <Link to="/runs">{t("new.back")}</Link>
        </>
      }
    >
      {running !== undefined && (
        <div className="field">
          <label className="checkbox" htmlFor="anyway">
            <input id="anyway" name="anyway" value="yes" type="checkbox" />
            <span>{t("new.anyway")}</span>
          </label>
        </div>
      )}
      <RegisteredWebsites websites={websites} field="url" />
      <RunFields
        values={answer?.values ?? values}
        errorOf={(field) => errorOf(answer, field)}
        level={entitlement.level}
        siteAllowed={entitlement.open || entitlement.covered.length > 0 || entitlement.room !== 0}
        maxPages={maxPages}
        mostWaitMs={mostWaitMs}
        again={answer?.hadSecrets ?? values[HAD_SECRETS] === "yes"}
      />
    </FormPage>
  );
}
