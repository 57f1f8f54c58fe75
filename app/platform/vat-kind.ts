/** Value-added tax in prices; `none` for small businesses that charge none. */
export const VAT_KINDS = ["included", "excluded", "none"] as const;
export type VatKind = (typeof VAT_KINDS)[number];
