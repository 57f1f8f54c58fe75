import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { MINUTE_MS } from "~/platform/durations";
import { signInDown } from "~/platform/http/error-status";
import { HAD_SECRETS, plainFields, SECRET_FIELD } from "~/platform/forms/form-answer";
import { readForm } from "~/platform/forms/read-form";
import { IdentityUnavailable } from "./sign-in-errors";
import type { HostedIdentity, HostedTokens } from "./hosted/hosted";
import type { Session } from "./session.server";
import type { User } from "./user.server";

/** Access tokens are not used in their last minute. */
const LEEWAY_MS = 60_000;
/** Validity of a re-authentication: enough for one form, too short for a later user of the same device. */
const PROOF_MS = 10 * MINUTE_MS;
/** Maximum characters of a kept form. */
const MOST_KEPT = 65_536;

export type Args = Pick<LoaderFunctionArgs | ActionFunctionArgs, "request" | "context">;

/**
 * The signed-in user.
 * @param entry `/register` if most visitors have no account yet
 * @throws a redirect to `/login` and from there back here, or 503 while the sign-in service does not answer; submitted form
 * fields are kept, except passwords
 */
export async function requireUser({ request, context }: Args, entry: Entry = "/login"): Promise<User> {
  const session = await context.visitor.session();
  const { pathname, search } = new URL(request.url);
  const returnTo = `${pathname}${search}`;
  if (!session?.user) {
    if (request.method === "POST") await keepForm(request, context, pathname);
    throw redirect(entryPath(entry, returnTo), 303);
  }
  const { hosted } = context.services;
  if (!hosted || session.user.subject === null) return session.user;
  const user = await renewedUser(session, hosted, context).catch((error: unknown) => {
    if (!(error instanceof IdentityUnavailable)) throw error;
    context.log.error({ err: error }, "the identity provider was not to be reached");
    return "unknown" as const;
  });
  if (user && user !== "unknown") return user;
  if (request.method === "POST") await keepForm(request, context, pathname);
  if (user === "unknown") throw signInDown();
  throw await hosted.start(request, { returnTo, silent: true });
}

/** True if the profile can be changed here. The provider keeps name and address of hosted accounts; not every one lets us change them. */
export function canChangeProfile({ services }: Args["context"], { subject }: User): boolean {
  return subject === null || services.hosted?.management !== null;
}

/**
 * True if the user of a hosted account has just signed in again at the provider, for sensitive actions. Users of local
 * accounts send their password with the form.
 */
export async function isProved({ context }: Pick<Args, "context">): Promise<boolean> {
  const session = await context.visitor.session();
  if (session?.user?.subject == null) return true;
  if (!context.services.hosted) return false;
  return (session.tokens?.provedAt ?? 0) > Date.now() - PROOF_MS;
}

/**
 * True if the user of a local account may continue without the password after a recent sign-in, for actions that give
 * long-lived access.
 */
export async function hasJustSignedIn({ visitor }: Args["context"]): Promise<boolean> {
  const session = await visitor.session();
  return session?.user?.subject === null && session.createdAt > Date.now() - PROOF_MS;
}

/**
 * Time of the last authentication in this session (Unix time in ms). 0 without a signed-in user, or after a sign-in at the provider
 * that asked for nothing.
 */
async function provedAt({ visitor }: Args["context"]): Promise<number> {
  const session = await visitor.session();
  if (!session?.user) return 0;
  return session.user.subject === null ? session.createdAt : (session.tokens?.provedAt ?? 0);
}

/**
 * Requires a recent sign-in: redirects to `/login` and from there back.
 * @throws a redirect; submitted form fields are kept, except passwords
 */
export async function requireSignInSince(time: number, { request, context }: Args): Promise<void> {
  if ((await provedAt(context)) >= time) return;
  const { pathname, search } = new URL(request.url);
  if (request.method === "POST") await keepForm(request, context, pathname);
  throw redirect(`${loginPath(`${pathname}${search}`)}&again=yes`, 303);
}

/**
 * @throws a redirect to the provider, which re-authenticates the user and redirects back; submitted form fields are kept. Without
 * a provider, a redirect to the page, which explains that
 */
export async function requireProof({ request, context }: Args): Promise<void> {
  const { hosted } = context.services;
  if (await isProved({ context })) return;
  const { pathname } = new URL(request.url);
  if (!hosted) throw redirect(pathname, 303);
  const isEmpty = [...(await readForm(request.clone()))].length === 0;
  if (!isEmpty) await keepForm(request, context, pathname);
  throw await hosted.start(request, { returnTo: pathname, fresh: true });
}

/** The user, if the provider confirms the account: by a valid access token, else by a refresh token. Null otherwise. */
async function renewedUser(session: Session, hosted: HostedIdentity, { services, visitor }: Args["context"]): Promise<User | null> {
  const { idHash, tokens, user } = session;
  if (isFresh(tokens, session)) return user;
  return services.withLock(`tokens of ${idHash}`, async () => {
    // Another web server may have renewed them. Providers that replace refresh tokens treat a second use of one as theft.
    const stored = tokens && (await services.sessions.tokensOf(idHash));
    if (isFresh(stored, session)) return user;
    const renewed = stored && (await hosted.refresh(stored));
    if (!renewed || renewed.profile.subject !== user?.subject) return null;
    await visitor.setTokens(renewed.tokens);
    return services.users.renew(renewed.profile);
  });
}

const isFresh = (tokens: HostedTokens | null, { createdAt }: Session): boolean => tokens !== null && tokens.expiresAt - leewayOf(tokens, createdAt) > Date.now();

type Entry = "/login" | "/register";

const entryPath = (entry: Entry, returnTo: string): string => `${entry}?returnTo=${encodeURIComponent(returnTo)}`;

export const loginPath = (returnTo: string): string => entryPath("/login", returnTo);

/** Shorter for short-lived tokens, which would otherwise never be valid. */
const leewayOf = ({ expiresAt }: HostedTokens, createdAt: number) => Math.min(LEEWAY_MS, (expiresAt - createdAt) / 2);

async function keepForm(request: Request, { visitor, services, clientAddress }: Args["context"], path: string) {
  if (!(await services.throttle.keptForm(clientAddress))) return;
  const form = await readForm(request.clone());
  const fields = plainFields(form);
  // Longer than any form that people fill in: limits storage by strangers.
  if (fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0) > MOST_KEPT) return;
  if ([...form].some(([name, value]) => SECRET_FIELD.test(name) && value !== "")) fields.push([HAD_SECRETS, "yes"]);
  // Also for a form with only passwords, so that the page asks to send the form again.
  await visitor.keepForm({ path, fields });
}
