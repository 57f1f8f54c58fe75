import { createContext } from "react";
import type { FetcherWithComponents } from "@remix-run/react";

/** Context of a form's page that a dialog shows. */
export interface DialogContextValue {
  /** Id of the heading, the dialog's accessible name. */
  headingId: string;
  /** Sends the form without leaving the page behind the dialog; a redirect still leaves it. */
  sender: FetcherWithComponents<unknown>;
}

/** Null outside of a dialog. */
export const DialogContext = createContext<DialogContextValue | null>(null);
