import { isCommonPassword } from "./common-passwords.server";
import type { PasswordProblem } from "~/accounts/forms.server";

const SHORTEST = 12;
/** Scrypt accepts any length; users do not type more. */
const LONGEST = 256;
const FEWEST_DIFFERENT = 5;
/** Shorter parts of a name or an address occur in other words. */
const SHORTEST_PART = 4;
const BRAND = "rampe";

/** Length counts, not composition (NIST SP 800-63B, 3.1.1.2); easily guessed passwords are refused. */
export const passwordProblem: PasswordProblem = (password, personal) => {
  const characters = [...password.normalize("NFKC")];
  if (characters.length < SHORTEST) return "password_short";
  if (characters.length > LONGEST) return "password_long";
  const plain = characters.join("").toLowerCase();
  if (isCommonPassword(plain)) return "password_common";
  if (new Set(plain).size < FEWEST_DIFFERENT || isRepetition(plain) || isSequence(plain)) return "password_simple";
  return isPersonal(plain, personal) ? "password_personal" : undefined;
};

/** `abcabcabcabc`: the same few characters again and again. */
function isRepetition(text: string): boolean {
  return /^(.{1,5}?)\1+$/u.test(text);
}

const ROWS = ["01234567890123456789", "abcdefghijklmnopqrstuvwxyz", "qwertzuiopasdfghjklyxcvbnm", "qwertyuiopasdfghjklzxcvbnm"];

/** One row of the keyboard or of the alphabet, in either direction. */
function isSequence(text: string): boolean {
  const backwards = [...text].reverse().join("");
  return ROWS.some((row) => row.includes(text) || row.includes(backwards));
}

/** Little more than a name, an address or the product's name. */
function isPersonal(plain: string, personal: string[]): boolean {
  const parts = [...personal, BRAND].flatMap((text) => text.normalize("NFKC").toLowerCase().split(/[^\p{L}\p{N}]+/u));
  // The longest first: a short one may be a part of it.
  const known = parts.filter((part) => part.length >= SHORTEST_PART).sort((a, b) => b.length - a.length);
  const rest = known.reduce((left, part) => left.replaceAll(part, ""), plain);
  return rest !== plain && [...rest].length < SHORTEST / 2;
}
