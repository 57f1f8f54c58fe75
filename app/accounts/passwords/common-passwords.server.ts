// Passwords of 12 characters and more among the million most frequent ones of Mark Burnett's list (released to the public domain,
// 2015), and obvious German ones. Shorter passwords are refused by their length.
import list from "./common-passwords.txt?raw";

let known: Set<string> | undefined;

/** @param password password in lower case */
export function isCommonPassword(password: string): boolean {
  known ??= new Set(list.split("\n"));
  return known.has(password);
}
