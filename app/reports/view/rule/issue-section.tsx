import { useTranslation } from "react-i18next";
import { CopyButton } from "~/ui/copy-button";

/** Maximum number of rows before scrolling. */
const MOST_ROWS = 16;

/** The ready text of a ticket, to read, select and copy; scripts add a button. */
export function IssueSection({ text }: { text: string }) {
  const { t } = useTranslation("report");
  return (
    <section aria-labelledby="pass-on">
      <h2 id="pass-on">{t("element.passOn")}</h2>
      <div className="field issue-text">
        <label htmlFor="issue-text">{t("element.issueText")}</label>
        <p className="field-hint" id="issue-hint">
          {t("element.issueHint")}
        </p>
        <textarea id="issue-text" value={text} rows={Math.min(MOST_ROWS, text.split("\n").length)} readOnly aria-describedby="issue-hint" spellCheck={false} />
      </div>
      <CopyButton label={t("element.copyIssue")} text={text} />
    </section>
  );
}
