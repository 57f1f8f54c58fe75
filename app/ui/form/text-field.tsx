import type { InputHTMLAttributes, ReactNode } from "react";
import { FieldError } from "./field-error";

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  id: string;
  label: ReactNode;
  hint?: string;
  error?: string;
}

/** Width of the field without style sheets, in characters. */
const SIZE = 40;

/** Label, hint, error message and input, linked for assistive technology. */
export function TextField({ id, label, hint, error, ...input }: TextFieldProps) {
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [error && errorId, hint && hintId].filter(Boolean).join(" ");

  return (
    <div className={error ? "field field-invalid" : "field"}>
      <label htmlFor={id}>{label}</label>{" "}
      {hint && (
        <p className="field-hint" id={hintId}>
          {hint}
        </p>
      )}
      {error && <FieldError id={errorId} error={error} />}
      <input
        id={id}
        size={/^(date|color|file|number)$/.test(input.type ?? "") ? undefined : SIZE}
        aria-describedby={describedBy || undefined}
        aria-invalid={error ? true : undefined}
        {...input}
      />
    </div>
  );
}
