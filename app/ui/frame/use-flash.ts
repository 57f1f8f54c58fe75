import { useLocation } from "@remix-run/react";
import { useState } from "react";
import type { Flash } from "~/platform/http/flash";

/** No visit has this key. */
const OVER = "";

/**
 * The message, only for the visit that loaded it: it stays when that page is loaded again for news. A refused form is a new visit
 * without a reload of the message; the old success message would stay beside the new errors.
 */
export function useFlash(loaded: Flash | null): Flash | null {
  const { key } = useLocation();
  const [brought, setBrought] = useState({ flash: loaded, key });
  if (loaded && brought.flash !== loaded) setBrought({ flash: loaded, key });
  // Over, also when its visit comes back.
  else if (brought.key !== OVER && brought.key !== key) setBrought({ flash: brought.flash, key: OVER });
  return brought.key === key ? brought.flash : null;
}
