/** Scopes of a token; `runs:write` starts, cancels and deletes. */
export const SCOPES = ["runs:read", "runs:write"] as const;
export type Scope = (typeof SCOPES)[number];

/** Names of the scopes' texts (`tokens:scope.…`); a colon would separate namespace and key. */
export const SCOPE_TEXTS = { "runs:read": "read", "runs:write": "write" } as const satisfies Record<Scope, string>;

/** Days until a token expires; `never` for no expiry. */
export const LIFETIMES = ["30", "90", "365", "never"] as const;

/** Maximum tokens per user, so that the user still knows the purpose of each token. */
export const MOST_TOKENS = 20;

/** Token in its owner's list. Times are Unix time in ms. */
export interface TokenView {
  id: string;
  name: string;
  /** Last characters, to recognise the token in programs. */
  ending: string;
  scopes: Scope[];
  createdAt: number;
  /** Expiry; null for none. */
  expiresAt: number | null;
  expired: boolean;
  lastUsedAt: number | null;
}
