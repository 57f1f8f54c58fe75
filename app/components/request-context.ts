import { createContext } from "react";

interface RequestValues {
  /** Lets inline scripts run under the content security policy; empty in the browser, which never shows it. */
  nonce: string;
  /** The reference on error pages. */
  requestId: string;
}

/** What the server knows of the request while it renders; the browser reads the reference from the page. */
export const RequestContext = createContext<RequestValues>({ nonce: "", requestId: "" });
