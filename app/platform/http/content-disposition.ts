/** Characters that RFC 8187 (`attr-char`) does not allow, but `encodeURIComponent` keeps. */
const MORE_TO_ENCODE = /['()*]/g;

/**
 * Value of `Content-Disposition` for a download with a file name: the full name for browsers that support RFC 6266 (all
 * current ones), and ASCII for other programs.
 */
export function attachment(name: string): string {
  const plain = name.toWellFormed().replace(/[\p{Cc}/\\"]/gu, "_");
  const ascii = plain.replace(/[^\x20-\x7e]/g, "_").replaceAll("%", "_");
  if (ascii === plain) return `attachment; filename="${plain}"`;
  const encoded = encodeURIComponent(plain).replace(MORE_TO_ENCODE, (character) => `%${hexOf(character)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

const hexOf = (character: string) => character.charCodeAt(0).toString(16).toUpperCase();
