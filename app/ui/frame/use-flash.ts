import { useLocation } from "@remix-run/react";
import { useState } from "react";
import type { Flash } from "~/platform/http/flash";

/** Key of no visit: the message has expired. */
const OVER = "";

/**
 * Flash message, only for the visit that loaded it. It stays when a live update loads that page again. A refused form is a new visit
 * without a reload of the message; the old success message would stay beside the new errors.
 */
export function useFlash(loaded: Flash | null): Flash | null {
  const { key } = useLocation();
  const [brought, setBrought] = useState({ flash: loaded, key });
  if (loaded && brought.flash !== loaded) setBrought({ flash: loaded, key });
  // Expired also when the visitor goes back to its visit.
  else if (brought.key !== OVER && brought.key !== key) setBrought({ flash: brought.flash, key: OVER });
  return brought.key === key ? brought.flash : null;
}
