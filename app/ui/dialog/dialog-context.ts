import { createContext } from "react";
import type { FetcherWithComponents } from "@remix-run/react";

/** What a form's page needs to know where a dialog shows it. */
export interface DialogPlace {
  /** Of the heading, which is the dialog's name. */
  headingId: string;
  /** Sends the form without leaving the page around the dialog; a redirect leaves it all the same. */
  sender: FetcherWithComponents<unknown>;
}

/** Null on a page of its own. */
export const DialogContext = createContext<DialogPlace | null>(null);
