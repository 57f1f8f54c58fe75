import { useNavigation } from "@remix-run/react";
import { useContext } from "react";
import { DialogContext } from "~/ui/dialog/dialog-context";

interface SubmitButtonProps {
  label: string;
  /** Label while the form is being sent, also announced. */
  busyLabel: string;
  /** The path the form posts to. */
  action: string;
}

/** Submit button. It ignores a second click while the form is being sent, but stays focusable. */
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
