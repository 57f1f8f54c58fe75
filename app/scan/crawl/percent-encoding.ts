/**
 * Normalises a path, or a pattern of robots.txt, so that both can be compared: octets that need no percent-encoding are
 * written plainly, all others are encoded in upper case (RFC 3986, 6.2.2; RFC 9309, 2.2.2).
 */
export function comparable(text: string): string {
  return text
    .replace(/%[\da-f]{2}/gi, (encoded) => {
      const character = String.fromCharCode(parseInt(encoded.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : encoded.toUpperCase();
    })
    .replace(/[^\x21-\x7e]+|["<>\\^`{|}[\]]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}
