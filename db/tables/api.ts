import type { JsonText } from "./json-text";

export interface ApiTables {
  api_token: ApiTokenTable;
  idempotency_key: IdempotencyKeyTable;
}

/** API token, which authenticates a program as a user. */
export interface ApiTokenTable {
  /** Id in lists and forms, which gives no access. */
  id: string;
  user_id: string;
  /** SHA-256 of the token. */
  token_hash: string;
  /** Last characters of the token. */
  ending: string;
  name: string;
  scopes: JsonText;
  created_at: number;
  expires_at: number | null;
  /** Time of the last use, up to an hour old. */
  last_used_at: number | null;
}

/** Idempotency key: a repeated API request is processed only once. */
interface IdempotencyKeyTable {
  token_id: string;
  key: string;
  /** SHA-256 of the request. */
  request_hash: string;
  /** Resulting run; null while the request is in progress. */
  run_id: string | null;
  created_at: number;
}
