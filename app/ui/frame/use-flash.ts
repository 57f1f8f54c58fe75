import { useLocation } from "@remix-run/react";
import { useState } from "react";
import type { Flash } from "~/platform/http/flash";

/**
 * The message of the visit that brought it. A form that is refused afterwards is a visit for which the message is not
 * loaded anew, and what had been done before would stand beside what is wrong now.
 */
export function useFlash(loaded: Flash | null): Flash | null {
  const { key } = useLocation();
  const [brought, setBrought] = useState({ flash: loaded, key });
  if (brought.flash !== loaded) setBrought({ flash: loaded, key });
  return brought.key === key ? brought.flash : null;
}
