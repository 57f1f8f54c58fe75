/**
 * A script whose letters are all ASCII: a single other one doubles the memory of the whole text, everywhere on its way into a page.
 * In strings and regular expressions an escape means the same; elsewhere the script may have no such letter.
 */
export function inAscii(script: string): string {
  return script.replace(/(?<!\\)[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
