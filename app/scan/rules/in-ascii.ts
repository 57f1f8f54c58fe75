/**
 * Script text with ASCII letters only: a single other letter doubles the memory of the whole text, in every copy on its way into a page.
 * In strings and regular expressions an escape means the same; elsewhere the script must not contain such a letter.
 */
export function inAscii(script: string): string {
  return script.replace(/(?<!\\)[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
