import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { isPlainClick, useFormDialog, type FormView } from "./use-form-dialog";

interface DialogLinkProps<Page extends object> {
  /** Address of the form's page. */
  to: string;
  view: FormView<Page>;
  className?: string;
  children: ReactNode;
}

/** A link to the page of a form; with scripts, the form opens in a dialog over the current page. */
export function DialogLink<Page extends object>({ to, view, className, children }: DialogLinkProps<Page>) {
  const { open, dialog } = useFormDialog(view);
  return (
    <>
      <Link
        className={className}
        to={to}
        onClick={(event) => {
          if (isPlainClick(event) && open(to, event.currentTarget)) event.preventDefault();
        }}
      >
        {children}
      </Link>
      {dialog}
    </>
  );
}
