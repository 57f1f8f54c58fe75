import type { InputHTMLAttributes } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/components/icon";

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  id: string;
  label: string;
  hint?: string;
  error?: string;
}

/** Label, hint, message and input, tied together for assistive technology. */
export function TextField({ id, label, hint, error, ...input }: TextFieldProps) {
  const { t } = useTranslation();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [error && errorId, hint && hintId].filter(Boolean).join(" ");

  return (
    <div className={error ? "field field-invalid" : "field"}>
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className="field-hint" id={hintId}>
          {hint}
        </p>
      )}
      {error && (
        <p className="field-error" id={errorId}>
          <Icon name="alert" />
          <span>
            <span className="visually-hidden">{t("form.errorPrefix")} </span>
            {error}
          </span>
        </p>
      )}
      <input
        id={id}
        aria-describedby={describedBy || undefined}
        aria-invalid={error ? true : undefined}
        {...input}
      />
    </div>
  );
}
