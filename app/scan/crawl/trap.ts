export type TrapKind = "calendar" | "query" | "path" | "chain";

/** Addresses that a site makes up without end, and that were left out. */
export interface Trap {
  kind: TrapKind;
  template: string;
  example: string;
  /** Addresses left out. */
  count: number;
}
