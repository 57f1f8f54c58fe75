import { useNavigation } from "@remix-run/react";
import { useContext } from "react";
import { DialogContext } from "~/ui/dialog/dialog-context";

interface SubmitButtonProps {
  label: string;
  /** Shown and announced while the form is being sent. */
  busyLabel: string;
  /** The path the form posts to. */
  action: string;
}

/** A second click while the form is being sent does nothing; the button stays focusable. */
export function SubmitButton({ label, busyLabel, action }: SubmitButtonProps) {
  const navigation = useNavigation();
  const { formMethod, formAction } = useContext(DialogContext)?.sender ?? navigation;
  const busy = formMethod === "POST" && formAction === action;
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
