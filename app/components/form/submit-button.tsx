import { useNavigation } from "@remix-run/react";

interface SubmitButtonProps {
  label: string;
  /** Shown and announced while the form is on its way. */
  busyLabel: string;
  /** The path the form posts to. */
  action: string;
}

/** A second click while the form is on its way does nothing; the button stays focusable. */
export function SubmitButton({ label, busyLabel, action }: SubmitButtonProps) {
  const navigation = useNavigation();
  const busy = navigation.formMethod === "POST" && navigation.formAction === action;
  return (
    <>
      <button
        className="button"
        type="submit"
        aria-disabled={busy || undefined}
        onClick={(event) => busy && event.preventDefault()}
      >
        {busy ? busyLabel : label}
      </button>
      <span className="visually-hidden" role="status">
        {busy && busyLabel}
      </span>
    </>
  );
}
