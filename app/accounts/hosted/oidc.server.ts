import { createHash } from "node:crypto";
import { redirect } from "@remix-run/node";
import { decodeJwt } from "jose";
import type { HostedProblem } from "~/accounts/hosted-problems";
import { CallbackFailed, IdentityUnavailable, noAnswer } from "~/accounts/sign-in-errors";
import { within } from "~/platform/async/deadline";
import { lazyAsync } from "~/platform/async/lazy-async";
import { randomToken } from "~/platform/crypto/tokens.server";
import { createAsk, RETRY_POLICY, type RetryPolicy } from "./ask-provider.server";
import { attemptCookie, type Attempt } from "./attempt-cookie.server";
import type { HostedIdentity, HostedTokens } from "./hosted";
import { isRefusal, NoEmail, proofIn, UnconfirmedEmail } from "./id-token.server";
import { discover, type ProviderDescription } from "./oidc-discovery.server";
import { profileOf, verifyIdToken, withUserInfo } from "./oidc-profile.server";
import { askForTokens, TokenRefused } from "./oidc-tokens.server";
import { shareRefresh } from "./shared-refresh.server";

export interface OidcOptions {
  /** Issuer, exactly as in the provider's tokens. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Public origin of this installation. */
  baseUrl: string;
  /** Secrets; the first one signs. */
  secrets: string[];
  patience?: RetryPolicy;
  log: (event: string, fields: { err: unknown }) => void;
}

interface OidcAttempt extends Attempt {
  nonce: string;
  /** Code verifier of PKCE (RFC 7636). */
  verifier: string;
}

/** OpenID provider, by the authorization code flow with PKCE. Its discovery document is read at the first use. */
export function createOidc({ issuer, clientId, clientSecret, baseUrl, secrets, patience = RETRY_POLICY, log }: OidcOptions): HostedIdentity {
  const ask = createAsk(patience);
  const callback = `${baseUrl}/auth/callback`;
  const cookieOf = (state: string) => attemptCookie(state, { secrets, secure: baseUrl.startsWith("https:") });
  const provider = lazyAsync(async () => {
    const found = await discover(issuer, ask, patience.tryMs);
    known = found.description;
    return found;
  });
  let known: ProviderDescription | undefined;

  return {
    name: new URL(issuer).host,

    async start(_request, wishes) {
      const { returnTo, silent = false, fresh = false } = wishes;
      const description = await provider().then((found) => found.description, unlessDown);
      if (!description) return redirect(`/login?${new URLSearchParams({ problem: "unavailable", returnTo })}`, 303);
      const attempt: OidcAttempt = { returnTo, silent, freshSince: fresh ? Date.now() : null, nonce: randomToken(), verifier: randomToken() };
      const state = randomToken();
      const cookie = await cookieOf(state).serialize(attempt);
      return redirect(authorizationUrl(description, state, attempt, wishes.signUp), { status: 302, headers: { "Set-Cookie": cookie } });
    },

    async finish(request) {
      const { searchParams } = new URL(request.url);
      const state = searchParams.get("state");
      const refusal = searchParams.get("error");
      if (!state) throw new CallbackFailed(refusal === null ? "rejected" : "denied", "/");
      const attempt = (await cookieOf(state).parse(request.headers.get("Cookie"))) as OidcAttempt | null;
      if (!attempt) throw new CallbackFailed("expired", "/");
      const { returnTo, silent, freshSince } = attempt;
      if (refusal !== null && silent) throw await this.start(request, { returnTo });
      if (refusal !== null) throw new CallbackFailed(REFUSALS[refusal] ?? "rejected", returnTo, { cause: new Error(`the sign-in service answered ${nameIn(refusal)}`) });
      try {
        const answer = await within(patience.totalMs, redeem(searchParams, attempt), noAnswer);
        const provedAt = freshSince === null ? null : proofIn(answer.tokens.idToken, freshSince);
        return { ...answer, tokens: { ...answer.tokens, provedAt }, returnTo };
      } catch (error) {
        throw new CallbackFailed(problemOf(error), returnTo, { cause: error });
      }
    },

    refresh: shareRefresh(renew, patience.totalMs),

    async logoutUrl(idToken) {
      const found = await provider().catch(unlessDown);
      if (!found?.description.end_session_endpoint) return null;
      const url = new URL(found.description.end_session_endpoint);
      if (idToken !== null) url.searchParams.set("id_token_hint", idToken);
      url.searchParams.set("client_id", clientId);
      url.searchParams.set("post_logout_redirect_uri", `${baseUrl}/`);
      return url.href;
    },

    pageOrigins: () =>
      [issuer, known?.authorization_endpoint, known?.end_session_endpoint].filter((address) => address !== undefined).map((address) => new URL(address).origin),

    management: null,
  };

  function authorizationUrl(description: ProviderDescription, state: string, { silent, freshSince, nonce, verifier }: OidcAttempt, signUp = false): string {
    const url = new URL(description.authorization_endpoint);
    const scopes = ["openid", "profile", "email", ...description.scopes_supported.filter((scope) => scope === "offline_access")];
    const wanted = {
      response_type: "code",
      client_id: clientId,
      redirect_uri: callback,
      scope: scopes.join(" "),
      state,
      nonce,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
      // With `max_age`, the id token contains `auth_time`: a browser could remove `prompt`.
      ...(freshSince !== null && { prompt: "login", max_age: "0" }),
      ...(signUp && description.prompt_values_supported.includes("create") && { prompt: "create" }),
      ...(silent && { prompt: "none" }),
    };
    for (const [name, value] of Object.entries(wanted)) url.searchParams.set(name, value);
    return url.href;
  }

  async function redeem(answered: URLSearchParams, { nonce, verifier }: OidcAttempt) {
    const found = await provider();
    // Answer of another provider (RFC 9207).
    if ((answered.get("iss") ?? issuer) !== issuer) throw new TokenRefused("another issuer has answered");
    const code = answered.get("code") ?? "";
    const fields = { grant_type: "authorization_code", code, redirect_uri: callback, code_verifier: verifier };
    // No retry: a code works once.
    const { idToken, ...tokens } = await askForTokens({ ask, description: found.description, clientId, clientSecret }, fields, { tries: 1 });
    if (idToken === null) throw new IdentityUnavailable("the sign-in service gave no id token");
    const claims = await withUserInfo(await verifyIdToken(idToken, found, clientId, nonce), found, tokens.accessToken, ask);
    return { profile: profileOf(claims, issuer), tokens: { ...tokens, idToken } };
  }

  async function renew(former: HostedTokens & { refreshToken: string }): ReturnType<HostedIdentity["refresh"]> {
    const found = await provider();
    try {
      const fields = { grant_type: "refresh_token", refresh_token: former.refreshToken };
      const { idToken, refreshToken, ...tokens } = await askForTokens({ ask, description: found.description, clientId, clientSecret }, fields);
      // A renewal may have no id token (OpenID Connect Core 1.0, section 12.2).
      const claims = idToken === null ? { sub: decodeJwt(former.idToken).sub ?? "" } : await verifyIdToken(idToken, found, clientId, null);
      const profile = profileOf(await withUserInfo(claims, found, tokens.accessToken, ask), issuer);
      const { provedAt } = former;
      // Without rotation, the old refresh token stays valid.
      return { profile, tokens: { ...tokens, refreshToken: refreshToken ?? former.refreshToken, idToken: idToken ?? former.idToken, provedAt } };
    } catch (error) {
      if (error instanceof TokenRefused || isRefusal(error)) return null;
      if (error instanceof IdentityUnavailable) throw error;
      throw new IdentityUnavailable("the keys of the sign-in service are not to be had", { cause: error });
    }
  }

  function unlessDown(error: unknown): undefined {
    if (!(error instanceof IdentityUnavailable)) throw error;
    log("the identity provider was not to be reached", { err: error });
  }
}

/** Problems by error code of the authorization answer; all other errors are mistakes in the configuration. */
const REFUSALS: Partial<Record<string, HostedProblem>> = {
  access_denied: "denied",
  login_required: "expired",
  server_error: "unavailable",
  temporarily_unavailable: "unavailable",
};

/** Error code, reduced to characters that are safe in a log. */
const nameIn = (refusal: string) => refusal.replace(/[^a-z_]/gi, "").slice(0, 40);

function problemOf(error: unknown): HostedProblem {
  if (error instanceof NoEmail) return "email";
  if (error instanceof UnconfirmedEmail) return "unconfirmed";
  if (error instanceof TokenRefused) return error.code === "invalid_grant" ? "expired" : "rejected";
  return isRefusal(error) ? "rejected" : "unavailable";
}
