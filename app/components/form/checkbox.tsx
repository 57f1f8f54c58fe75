import { useTranslation } from "react-i18next";
import { Icon } from "~/components/icon";

interface CheckboxProps {
  id: string;
  name: string;
  value: string;
  label: string;
  error?: string;
}

/** A box to tick, with its message. */
export function Checkbox({ id, name, value, label, error }: CheckboxProps) {
  const { t } = useTranslation();
  const errorId = `${id}-error`;
  return (
    <div className={error ? "field field-invalid" : "field"}>
      {error && (
        <p className="field-error" id={errorId}>
          <Icon name="alert" />
          <span>
            <span className="visually-hidden">{t("form.errorPrefix")} </span>
            {error}
          </span>
        </p>
      )}
      <label className="checkbox" htmlFor={id}>
        <input
          id={id}
          name={name}
          value={value}
          type="checkbox"
          aria-describedby={error ? errorId : undefined}
          aria-invalid={error ? true : undefined}
          required
        />
        <span>{label}</span>
      </label>
    </div>
  );
}
