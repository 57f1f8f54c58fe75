import contentDisposition from "content-disposition";

/**
 * Value of `Content-Disposition` for a download with a file name: the full name for browsers, which all support RFC 6266
 * today, and ASCII for other programs.
 */
export function attachment(name: string): string {
  const plain = name.toWellFormed().replace(/[\p{Cc}/\\"]/gu, "_");
  const ascii = plain.replace(/[^\x20-\x7e]/g, "_").replaceAll("%", "_");
  return contentDisposition(plain, { fallback: ascii });
}
