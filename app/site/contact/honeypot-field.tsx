import { useTranslation } from "react-i18next";
import { TextField } from "~/ui/form/text-field";
import { HONEYPOT } from "./fields";

/**
 * Honeypot: invisible, outside of the tab order and of the accessibility tree. If it was filled in, for instance by a
 * password manager, it becomes visible, and the visitor can empty it: no message is lost.
 */
export function HoneypotField({ error, value }: { error?: string; value?: string }) {
  const { t } = useTranslation("contact");
  if (error) {
    return <TextField id={HONEYPOT} name={HONEYPOT} label={t("field.honeypot")} error={error} defaultValue={value} autoComplete="off" />;
  }
  return (
    <div className="honeypot" aria-hidden="true">
      <label htmlFor={HONEYPOT}>{t("field.honeypot")}</label>
      <input id={HONEYPOT} name={HONEYPOT} type="text" tabIndex={-1} autoComplete="off" />
    </div>
  );
}
