import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { MINUTE_MS } from "~/platform/durations";
import { signInDown } from "~/platform/http/error-status";
import { HAD_SECRETS, plainFields, SECRET_FIELD } from "~/platform/forms/form-answer";
import { readForm } from "~/platform/forms/read-form";
import { IdentityUnavailable } from "./sign-in-errors";
import type { HostedIdentity, HostedTokens } from "./hosted/hosted";
import type { Session } from "./session.server";
import type { User } from "./user.server";

/** An access token is not relied on in its last minute. */
const LEEWAY_MS = 60_000;
/** Long enough for one form, too short for a later user of the same device. */
const PROOF_MS = 10 * MINUTE_MS;
/** Characters of a form that is kept. */
const MOST_KEPT = 65_536;

export type Args = Pick<LoaderFunctionArgs | ActionFunctionArgs, "request" | "context">;

/**
 * The signed-in user.
 * @param entry `/register` where most visitors have no account yet
 * @throws a redirect to `/login` that leads back here, or 503 while the sign-in service does not answer; submitted form fields
 * are kept, except passwords
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

/** Name and address of hosted accounts belong to the provider; not every one lets us change them. */
export function canChangeProfile({ services }: Args["context"], { subject }: User): boolean {
  return subject === null || services.hosted?.management !== null;
}

/**
 * Re-authentication for sensitive actions: has the user of a hosted account just signed in again at the provider? Users of local
 * accounts send their password with the form.
 */
export async function isProved({ context }: Pick<Args, "context">): Promise<boolean> {
  const session = await context.visitor.session();
  if (session?.user?.subject == null) return true;
  if (!context.services.hosted) return false;
  return (session.tokens?.provedAt ?? 0) > Date.now() - PROOF_MS;
}

/**
 * For actions that give long-lived access: may the user of a local account continue without the password, because of a recent
 * sign-in?
 */
export async function hasJustSignedIn({ visitor }: Args["context"]): Promise<boolean> {
  const session = await visitor.session();
  return session?.user?.subject === null && session.createdAt > Date.now() - PROOF_MS;
}

/**
 * When somebody last proved to be the user of this session, with a password or at the provider; 0 if nobody is signed in, or a
 * provider signed the user in without asking. Unix time in ms.
 */
async function provedAt({ visitor }: Args["context"]): Promise<number> {
  const session = await visitor.session();
  if (!session?.user) return 0;
  return session.user.subject === null ? session.createdAt : (session.tokens?.provedAt ?? 0);
}

/**
 * For pages that want a recent sign-in: leads through `/login` and back.
 * @throws a redirect; submitted form fields are kept, except passwords
 */
export async function requireSignInSince(time: number, { request, context }: Args): Promise<void> {
  if ((await provedAt(context)) >= time) return;
  const { pathname, search } = new URL(request.url);
  if (request.method === "POST") await keepForm(request, context, pathname);
  throw redirect(`${loginPath(`${pathname}${search}`)}&again=yes`, 303);
}

/**
 * @throws a redirect to the provider, which re-authenticates the user and leads back; submitted form fields are kept. If no
 * provider is set up any more, a redirect to the page, which says so
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

/** The user if the provider still knows them: by a valid access token, else by a refresh token. */
async function renewedUser(session: Session, hosted: HostedIdentity, { services, visitor }: Args["context"]): Promise<User | null> {
  const { idHash, tokens, user } = session;
  if (isFresh(tokens, session)) return user;
  return services.withLock(`tokens of ${idHash}`, async () => {
    // Another web server may have renewed them: a provider that replaces refresh tokens takes the second use of one for theft.
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

/** Less for short-lived tokens: with the full leeway they would never count as valid. */
const leewayOf = ({ expiresAt }: HostedTokens, createdAt: number) => Math.min(LEEWAY_MS, (expiresAt - createdAt) / 2);

async function keepForm(request: Request, { visitor, services, clientAddress }: Args["context"], path: string) {
  if (!(await services.throttle.keptForm(clientAddress))) return;
  const form = await readForm(request.clone());
  const fields = plainFields(form);
  // No form that people fill in is longer; what a stranger may have stored is limited.
  if (fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0) > MOST_KEPT) return;
  if ([...form].some(([name, value]) => SECRET_FIELD.test(name) && value !== "")) fields.push([HAD_SECRETS, "yes"]);
  // Also for a form with only passwords: the page then says that the form has to be sent again.
  await visitor.keepForm({ path, fields });
}
