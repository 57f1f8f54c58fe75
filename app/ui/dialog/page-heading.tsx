import { useContext, type ReactNode } from "react";
import { DialogContext } from "./dialog-context";

/** The heading of a page that may also be in a dialog; there it is the dialog's accessible name. */
export function PageHeading({ children }: { children: ReactNode }) {
  const dialog = useContext(DialogContext);
  if (!dialog) return <h1>{children}</h1>;
  return (
    <h2 id={dialog.headingId} tabIndex={-1}>
      {children}
    </h2>
  );
}
