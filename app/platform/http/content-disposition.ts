/** What `encodeURIComponent` leaves and RFC 8187 does not (`attr-char`). */
const MORE_TO_ENCODE = /['()*]/g;

/**
 * The value of `Content-Disposition` for a file to be kept under a name: in full for browsers that read RFC 6266, as all of
 * today do, and in ASCII for other programs.
 */
export function attachment(name: string): string {
  const plain = name.toWellFormed().replace(/[\p{Cc}/\\"]/gu, "_");
  const ascii = plain.replace(/[^\x20-\x7e]/g, "_").replaceAll("%", "_");
  if (ascii === plain) return `attachment; filename="${plain}"`;
  const encoded = encodeURIComponent(plain).replace(MORE_TO_ENCODE, (character) => `%${hexOf(character)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

const hexOf = (character: string) => character.charCodeAt(0).toString(16).toUpperCase();
