import { isCommonPassword } from "./common-passwords.server";
import type { PasswordProblem } from "~/accounts/forms.server";

const SHORTEST = 12;
/** Maximum length: scrypt accepts any, but users do not type more. */
const LONGEST = 256;
const FEWEST_DIFFERENT = 5;
/** Minimum length of compared parts: shorter parts of a name or an address occur in other words. */
const SHORTEST_PART = 4;
const BRAND = "rampe";

/** Problem of a password. Length counts, not composition (NIST SP 800-63B, 3.1.1.2); easily guessed passwords are refused. */
export const passwordProblem: PasswordProblem = (password, personal) => {
  const characters = [...password.normalize("NFKC")];
  if (characters.length < SHORTEST) return "password_short";
  if (characters.length > LONGEST) return "password_long";
  const plain = characters.join("").toLowerCase();
  if (isCommonPassword(plain)) return "password_common";
  if (new Set(plain).size < FEWEST_DIFFERENT || isRepetition(plain) || isSequence(plain)) return "password_simple";
  return isPersonal(plain, personal) ? "password_personal" : undefined;
};

/** True for a repetition of few characters: `abcabcabcabc`. */
function isRepetition(text: string): boolean {
  return /^(.{1,5}?)\1+$/u.test(text);
}

const ROWS = ["01234567890123456789", "abcdefghijklmnopqrstuvwxyz", "qwertzuiopasdfghjklyxcvbnm", "qwertyuiopasdfghjklzxcvbnm"];

/** True for a part of a keyboard row or of the alphabet, in either direction. */
function isSequence(text: string): boolean {
  const backwards = [...text].reverse().join("");
  return ROWS.some((row) => row.includes(text) || row.includes(backwards));
}

/** True for a name, an address or the product's name with few other characters. */
function isPersonal(plain: string, personal: string[]): boolean {
  const parts = [...personal, BRAND].flatMap((text) => text.normalize("NFKC").toLowerCase().split(/[^\p{L}\p{N}]+/u));
  // Longest part first, because a shorter one may be a part of it.
  const known = parts.filter((part) => part.length >= SHORTEST_PART).sort((a, b) => b.length - a.length);
  const rest = known.reduce((left, part) => left.replaceAll(part, ""), plain);
  return rest !== plain && [...rest].length < SHORTEST / 2;
}
