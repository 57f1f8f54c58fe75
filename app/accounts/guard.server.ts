import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { signInDown } from "~/platform/http/error-status";
import { SECRET_FIELD } from "~/platform/forms/form-answer";
import { readForm } from "~/platform/forms/read-form";
import { IdentityUnavailable } from "./sign-in-errors";
import type { HostedIdentity, HostedTokens } from "./hosted/hosted";
import type { Session } from "./session.server";
import type { User } from "./user.server";

/** An access token is not relied on in its last minute. */
const LEEWAY_MS = 60_000;
/** Time enough for one form, and not for somebody else at the same device. */
const PROOF_MS = 10 * 60_000;

export type Args = Pick<LoaderFunctionArgs | ActionFunctionArgs, "request" | "context">;

/**
 * Who is signed in.
 * @param entry where most who come here have no account yet, `/register`
 * @throws a redirect to `/login` that leads back here, or 503 while the sign-in service does not answer; what a form has sent
 *   is waiting, but for passwords
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
  const user = await stillKnown(session, hosted, context).catch((error: unknown) => {
    if (!(error instanceof IdentityUnavailable)) throw error;
    context.log.error({ err: error }, "the identity provider was not to be reached");
    return "unknown" as const;
  });
  if (user && user !== "unknown") return user;
  if (request.method === "POST") await keepForm(request, context, pathname);
  if (user === "unknown") throw signInDown();
  throw await hosted.start(request, { returnTo, silent: true });
}

/**
 * For what only the person themselves may do, with a hosted account: has it just been proved at the provider? Accounts of
 * this installation are proved by their password, in the form.
 */
export async function isProved({ context }: Pick<Args, "context">): Promise<boolean> {
  const session = await context.visitor.session();
  if (session?.user?.subject == null) return true;
  if (!context.services.hosted) return false;
  return (session.tokens?.provedAt ?? 0) > Date.now() - PROOF_MS;
}

/**
 * For what lets others in for a long time: may somebody with an account of this installation go on without their password,
 * because they have just typed it?
 */
export async function hasJustSignedIn({ visitor }: Args["context"]): Promise<boolean> {
  const session = await visitor.session();
  return session?.user?.subject === null && session.createdAt > Date.now() - PROOF_MS;
}

/**
 * @throws a redirect to the provider, which asks for that and leads back; what the form has sent is waiting there. Where there
 *   is no provider any more, a redirect to the page, which says so
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

/** Whom the provider still knows: as long as its access token holds, else by a refresh token. */
async function stillKnown(session: Session, hosted: HostedIdentity, context: Args["context"]): Promise<User | null> {
  const { tokens, user, createdAt } = session;
  if (tokens && tokens.expiresAt - leewayOf(tokens, createdAt) > Date.now()) return user;
  const renewed = tokens && (await hosted.refresh(tokens));
  if (!renewed || renewed.profile.subject !== user?.subject) return null;
  await context.visitor.setTokens(renewed.tokens);
  return context.services.users.recognise(renewed.profile, user.locale);
}

type Entry = "/login" | "/register";

const entryPath = (entry: Entry, returnTo: string): string => `${entry}?returnTo=${encodeURIComponent(returnTo)}`;

export const loginPath = (returnTo: string): string => entryPath("/login", returnTo);

/** Where tokens do not live much longer than that, they would never be relied on. */
const leewayOf = ({ expiresAt }: HostedTokens, createdAt: number) => Math.min(LEEWAY_MS, (expiresAt - createdAt) / 2);

async function keepForm(request: Request, { visitor, services, clientAddress }: Args["context"], path: string) {
  if (!(await services.throttle.keptForm(clientAddress))) return;
  const form = await readForm(request.clone());
  const fields = [...form].filter(
    (field): field is [string, string] => typeof field[1] === "string" && !SECRET_FIELD.test(field[0]),
  );
  // Also with nothing but passwords: the page then says that the form has to be sent again.
  await visitor.keepForm({ path, fields });
}
