import { z } from "zod";
import type { Access } from "~/scan/types";

export const LONGEST_SECRET = 4_000;
/** Syntax of `Cookie` headers (RFC 6265), without characters that could end the header. */
export const COOKIE = /^[^\s=;,]+=[^;\r\n]*(;\s*[^\s=;,]+=[^;\r\n]*)*;?$/;

/** User name without a colon: in basic authentication, the first colon separates user name and password (RFC 7617). */
export const isUserName = (text: string) => !text.includes(":");

/** Form fields for the access to a site that is not public; messages are the names of problems (`runs:problem.…`). */
export const accessFields = {
  accessUser: z.string().trim().max(LONGEST_SECRET, "access_too_long").refine(isUserName, "access_user_colon").optional(),
  accessPassword: z.string().max(LONGEST_SECRET, "access_too_long").optional(),
  accessCookie: z.string().trim().max(LONGEST_SECRET, "access_too_long").regex(COOKIE, "cookie_malformed").optional(),
};

const PROBLEMS = ["access_too_long", "access_twice", "access_user_missing", "access_user_colon", "access_password_missing", "cookie_malformed"] as const;

export const isAccessProblem = (problem: string): problem is (typeof PROBLEMS)[number] => PROBLEMS.some((each) => each === problem);

interface TypedAccess {
  accessUser?: string;
  accessPassword?: string;
  accessCookie?: string;
}

/** Access data from the form; null for none. Adds a problem if the fields contradict each other. */
export function takeAccess({ accessUser, accessPassword = "", accessCookie }: TypedAccess, context: z.RefinementCtx): Access | null {
  const problem = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
  if (accessCookie && (accessUser || accessPassword)) problem("accessCookie", "access_twice");
  if (accessPassword && !accessUser) problem("accessUser", "access_user_missing");
  if (accessCookie) return { kind: "cookie", cookie: accessCookie };
  return accessUser ? { kind: "basic", user: accessUser, password: accessPassword } : null;
}
