import type { ReactNode, TextareaHTMLAttributes } from "react";
import { FieldError } from "./field-error";

interface TextAreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  id: string;
  label: ReactNode;
  hint?: string;
  error?: string;
}

/** A field of several lines, with label, hint and error message. */
export function TextArea({ id, label, hint, error, ...input }: TextAreaProps) {
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  return (
    <div className={error ? "field field-invalid" : "field"}>
      <label htmlFor={id}>{label}</label>{" "}
      {hint && (
        <p className="field-hint" id={hintId}>
          {hint}
        </p>
      )}
      {error && <FieldError id={errorId} error={error} />}
      <textarea
        id={id}
        aria-describedby={[error && errorId, hint && hintId].filter(Boolean).join(" ") || undefined}
        aria-invalid={error ? true : undefined}
        {...input}
      />
    </div>
  );
}
