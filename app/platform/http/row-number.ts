/** Row number in an address; NaN, which matches no row, for other text. Databases treat fractions and huge numbers differently. */
export const readRowNumber = (text: string | null | undefined): number => (/^\d{1,15}$/.test(text ?? "") ? Number(text) : NaN);
