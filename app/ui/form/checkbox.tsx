import { FieldError } from "./field-error";

interface CheckboxProps {
  id: string;
  name: string;
  value: string;
  label: string;
  error?: string;
}

/** A checkbox with its error message. */
export function Checkbox({ id, name, value, label, error }: CheckboxProps) {
  const errorId = `${id}-error`;
  return (
    <div className={error ? "field field-invalid" : "field"}>
      {error && <FieldError id={errorId} error={error} />}
      <label className="checkbox" htmlFor={id}>
        <input
          id={id}
          name={name}
          value={value}
          type="checkbox"
          aria-describedby={error ? errorId : undefined}
          aria-invalid={error ? true : undefined}
          required
        />{" "}
        <span>{label}</span>
      </label>
    </div>
  );
}
