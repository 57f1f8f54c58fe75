/** What a token may be good for; `runs:write` starts, cancels and deletes. */
export const SCOPES = ["runs:read", "runs:write"] as const;
export type Scope = (typeof SCOPES)[number];

/** Their words (`tokens:scope.…`); a colon would divide a namespace from a key. */
export const SCOPE_TEXTS = { "runs:read": "read", "runs:write": "write" } as const satisfies Record<Scope, string>;

/** After how many days a token may end; `never` for none. */
export const LIFETIMES = ["30", "90", "365", "never"] as const;
export type Lifetime = (typeof LIFETIMES)[number];

/** One person has no more than that, so that somebody still knows what each of them is for. */
export const MOST_TOKENS = 20;

/** A token as its owner's list shows it. Times are Unix time in ms. */
export interface TokenView {
  id: string;
  name: string;
  /** The last characters, by which it is told apart where it is used. */
  ending: string;
  scopes: Scope[];
  createdAt: number;
  /** Null when it does not end by itself. */
  expiresAt: number | null;
  expired: boolean;
  lastUsedAt: number | null;
}
