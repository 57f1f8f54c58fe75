import { Secret, TOTP } from "otpauth";
import { confirmAddress, newMember, type Member, type NewMember } from "./accounts";
import type { TestServer } from "../servers/server";

/** User with two-factor sign-in. */
export interface TwoFactorMember extends Member {
  /** Secret in Base32. */
  secret: string;
  recoveryCodes: string[];
}

/** Current code of an app, or the code some steps of 30 s earlier or later. */
export function codeOf(secret: string, steps = 0, now = Date.now()): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now + steps * 30_000 });
}

export const OVERVIEW = "/account/second-factor";

/** Starts the set-up, up to the page with the secret. @returns the secret for manual entry */
export async function beginSetUp(member: Member): Promise<string> {
  const begun = await member.submit(OVERVIEW);
  const [, secret = ""] = /<code class="secret-code"[^>]*>([A-Z2-7 ]+)<\/code>/.exec(begun.text) ?? [];
  if (secret === "") throw new Error(`there is no secret on ${begun.url.pathname}: ${begun.status}`);
  return secret.replaceAll(" ", "");
}

/** New user who has turned it on with the current code: only the next code is unused, as clocks may differ by one step. */
export async function newTwoFactorMember(server: TestServer, options: NewMember = {}): Promise<TwoFactorMember> {
  const member = await newMember(server, options);
  await confirmAddress(member, server);
  const secret = await beginSetUp(member);
  const page = await member.submit(`${OVERVIEW}/app`, { code: codeOf(secret) });
  const recoveryCodes = recoveryCodesIn(page.text);
  if (recoveryCodes.length === 0) throw new Error(`there are no recovery codes on ${page.url.pathname}: ${page.status}`);
  return { ...member, secret, recoveryCodes, cookie: `session=${member.cookies.get("session")}` };
}

export const recoveryCodesIn = (html: string): string[] => [...html.matchAll(/<code class="secret-code">([a-z0-9-]{17})<\/code>/g)].map(([, code = ""]) => code);
