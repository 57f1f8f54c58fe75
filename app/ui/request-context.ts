import { createContext } from "react";
import type { ColorScheme } from "~/platform/http/color-scheme";

export interface RequestValues {
  /** Lets inline scripts run under the content security policy; empty in the browser, which hides it from scripts. */
  nonce: string;
  /** The reference on error pages, and the history entry that it belongs to. */
  requestId: string;
  entryKey: string;
  colorScheme: ColorScheme;
  sourceUrl: string;
}

/**
 * What every page needs, also one that is an error and has no loader's data. The server knows it from the request; the
 * browser reads it back from the page.
 */
export const RequestContext = createContext<RequestValues>({
  nonce: "",
  requestId: "",
  entryKey: "default",
  colorScheme: "auto",
  sourceUrl: "/",
});
