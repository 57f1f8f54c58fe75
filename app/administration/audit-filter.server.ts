import { isAuditAction, type AuditAction } from "./audit-log.server";

const MAX_SEARCH = 200;

export interface AuditFilterView {
  /** Part of an address. */
  text: string;
  action: AuditAction | "";
}

/** The filter of the audit log that an address has in its query. */
export function auditFilterOf({ url }: Pick<Request, "url">): AuditFilterView {
  const { searchParams } = new URL(url);
  const action = searchParams.get("action") ?? "";
  return { text: (searchParams.get("q") ?? "").trim().slice(0, MAX_SEARCH), action: isAuditAction(action) ? action : "" };
}
