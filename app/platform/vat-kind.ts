/** Value-added tax in prices; `none` for small businesses without it. */
export const VAT_KINDS = ["included", "excluded", "none"] as const;
export type VatKind = (typeof VAT_KINDS)[number];
