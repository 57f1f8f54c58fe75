/** Number of a row in an address; NaN, which no row has, for any other text. Databases differ in what they do with fractions and huge numbers. */
export const readRowNumber = (text: string | null | undefined): number => (/^\d{1,15}$/.test(text ?? "") ? Number(text) : NaN);
