import type { JsonText } from "./json-text";

export interface ApiTables {
  api_token: ApiTokenTable;
  idempotency_key: IdempotencyKeyTable;
}

/** An API token: authenticates a program as a user. */
export interface ApiTokenTable {
  /** Id in lists and forms; it gives no access. */
  id: string;
  user_id: string;
  /** SHA-256 of the token. */
  token_hash: string;
  /** Its last characters. */
  ending: string;
  name: string;
  scopes: JsonText;
  created_at: number;
  expires_at: number | null;
  /** Up to an hour old. */
  last_used_at: number | null;
}

/** Idempotency key: a repeated API request is processed only once. */
interface IdempotencyKeyTable {
  token_id: string;
  key: string;
  /** SHA-256 of the request. */
  request_hash: string;
  /** The resulting run; null while the request is processed. */
  run_id: string | null;
  created_at: number;
}
