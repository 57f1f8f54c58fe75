import { searchTextOf } from "~/platform/http/search-text";
import { isAuditAction, type AuditAction } from "./audit-log.server";

export interface AuditFilterView {
  /** Part of an address. */
  text: string;
  action: AuditAction | "";
}

/** Filter of the audit log, from the query of an address. */
export function auditFilterOf(request: Pick<Request, "url">): AuditFilterView {
  const action = new URL(request.url).searchParams.get("action") ?? "";
  return { text: searchTextOf(request), action: isAuditAction(action) ? action : "" };
}
