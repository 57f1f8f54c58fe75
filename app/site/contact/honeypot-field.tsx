import { useTranslation } from "react-i18next";
import { TextField } from "~/ui/form/text-field";
import { HONEYPOT } from "./fields";

/**
 * A field that only machines fill in: out of sight, out of the tab order and out of the accessibility tree. Whoever has
 * filled it in all the same, a password manager for instance, sees it then, and can empty it: nobody's message is lost.
 */
export function HoneypotField({ error, value }: { error?: string; value?: string }) {
  const { t } = useTranslation("contact");
  if (error) {
    return <TextField id={HONEYPOT} name={HONEYPOT} label={t("field.trap")} error={error} defaultValue={value} autoComplete="off" />;
  }
  return (
    <div className="trap" aria-hidden="true">
      <label htmlFor={HONEYPOT}>{t("field.trap")}</label>
      <input id={HONEYPOT} name={HONEYPOT} type="text" tabIndex={-1} autoComplete="off" />
    </div>
  );
}
