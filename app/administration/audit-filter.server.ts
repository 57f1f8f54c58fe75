import { searchTextOf } from "~/platform/http/search-text";
import { isAuditAction, type AuditAction } from "./audit-log.server";

export interface AuditFilterView {
  /** Part of an address. */
  text: string;
  action: AuditAction | "";
}

/** The filter of the audit log that an address has in its query. */
export function auditFilterOf(request: Pick<Request, "url">): AuditFilterView {
  const action = new URL(request.url).searchParams.get("action") ?? "";
  return { text: searchTextOf(request), action: isAuditAction(action) ? action : "" };
}
