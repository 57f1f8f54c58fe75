import { SelectQueryNode, type CompiledQuery } from "kysely";

/** Does a statement only read? Reads do not wait for writes. */
export const isRead = ({ query, sql }: CompiledQuery): boolean => SelectQueryNode.is(query) || /^\s*select\b/i.test(sql);
