import type { ReactNode } from "react";
import { FieldError } from "./field-error";

interface RadioGroupProps {
  /** Id of the group's first choice; the error message links to it. */
  id: string;
  name: string;
  legend: ReactNode;
  choices: { value: string; label: string; hint?: string }[];
  defaultValue: string;
  error?: string;
}

/** Choice of one option; all options are visible. */
export function RadioGroup({ id, name, legend, choices, defaultValue, error }: RadioGroupProps) {
  const errorId = `${id}-error`;
  return (
    <fieldset className={error ? "field choices field-invalid" : "field choices"} aria-describedby={error ? errorId : undefined}>
      <legend>{legend}</legend>
      {error && <FieldError id={errorId} error={error} />}
      {choices.map(({ value, label, hint }, index) => {
        const choiceId = index === 0 ? id : `${id}-${value}`;
        return (
          <div key={value} className="choice">
            <input
              type="radio"
              id={choiceId}
              name={name}
              value={value}
              defaultChecked={value === defaultValue}
              aria-describedby={hint ? `${choiceId}-hint` : undefined}
            />{" "}
            <label htmlFor={choiceId}>{label}</label>
            {hint && (
              <p className="field-hint" id={`${choiceId}-hint`}>
                {hint}
              </p>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}
