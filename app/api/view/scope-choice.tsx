import { useTranslation } from "react-i18next";
import { FieldError } from "~/ui/form/field-error";
import { SCOPE_TEXTS, SCOPES, type Scope } from "~/api/scopes";

interface ScopeChoiceProps {
  /** Id of the group's first checkbox; the error message links to it. */
  id: string;
  chosen: (scope: Scope) => boolean;
  error?: string;
}

/** Choice of a token's scopes: one checkbox for each, named after it. */
export function ScopeChoice({ id, chosen, error }: ScopeChoiceProps) {
  const { t } = useTranslation("tokens");
  const errorId = `${id}-error`;
  return (
    <fieldset className={error ? "field choices field-invalid" : "field choices"} aria-describedby={error ? errorId : undefined}>
      <legend>{t("new.scopes")}</legend>
      {error && <FieldError id={errorId} error={error} />}
      {SCOPES.map((scope, index) => (
        <label className="checkbox" key={scope}>
          <input
            id={index === 0 ? id : `${id}-${SCOPE_TEXTS[scope]}`}
            name={scope}
            value="yes"
            type="checkbox"
            defaultChecked={chosen(scope)}
            aria-invalid={error ? true : undefined}
          />
          <span>{t(`scope.${SCOPE_TEXTS[scope]}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}
