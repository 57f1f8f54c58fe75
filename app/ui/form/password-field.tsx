import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useScripts } from "~/ui/use-scripts";
import { TextField } from "./text-field";

interface PasswordFieldProps {
  id: string;
  name: string;
  label: string;
  hint?: string;
  error?: string;
  autoComplete: "current-password" | "new-password";
}

/** A hidden password; with scripts it can be shown. The server never sends the typed password back. */
export function PasswordField(props: PasswordFieldProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const scripts = useScripts();
  return (
    <div className="password">
      <TextField
        {...props}
        type={shown ? "text" : "password"}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
      />
      <div className="scripted-button">
        {scripts && (
          <button
            className="button button-quiet password-toggle"
            type="button"
            aria-pressed={shown}
            aria-controls={props.id}
            onClick={() => setShown(!shown)}
          >
            {t("form.showPassword")}
            <span className="visually-hidden">: {props.label}</span>
          </button>
        )}
      </div>
    </div>
  );
}
