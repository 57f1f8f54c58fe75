import { createContext } from "react";
import type { ColorScheme } from "~/platform/http/color-scheme";

export interface RequestValues {
  /** Allows inline scripts under the content security policy; empty in the browser, which hides it from scripts. */
  nonce: string;
  /** The reference on error pages, and the history entry that it belongs to. */
  requestId: string;
  entryKey: string;
  colorScheme: ColorScheme;
  sourceUrl: string;
}

/**
 * Values for every page, also for an error page without loader data. The server takes them from the request; the browser
 * reads them from the page.
 */
export const RequestContext = createContext<RequestValues>({
  nonce: "",
  requestId: "",
  entryKey: "default",
  colorScheme: "auto",
  sourceUrl: "/",
});
