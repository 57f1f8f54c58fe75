import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from "jose";
import { OAuth2RequestError, UnexpectedResponseError } from "remix-auth-auth0";
import type { HostedProblem } from "~/accounts/hosted-problems";
import { CallbackFailed, IdentityUnavailable, noAnswer } from "~/accounts/sign-in-errors";
import { createAsk, RETRY_POLICY, type RetryPolicy } from "./ask-provider.server";
import { ATTEMPT_SECONDS, attemptCookie, type Attempt } from "./attempt-cookie.server";
import { createManagement } from "./auth0-management.server";
import { Strategy } from "./auth0-strategy.server";
import type { HostedIdentity, HostedProfile, HostedTokens } from "./hosted";
import { CLOCK_TOLERANCE_SECONDS, isRefusal, NoEmail, proofIn } from "./id-token.server";
import { shareRefresh } from "./shared-refresh.server";
import { within } from "~/platform/async/deadline";

const SCOPES = ["openid", "profile", "email", "offline_access"];

export interface Auth0Options {
  domain: string;
  clientId: string;
  clientSecret: string;
  audience?: string;
  organization?: string;
  /** Public origin of this installation. */
  baseUrl: string;
  /** Secrets; the first one signs. */
  secrets: string[];
  patience?: RetryPolicy;
}

/** Auth0 tenant (https://auth0.com/docs/api/authentication), by the authorization code flow with PKCE. */
export function createAuth0(options: Auth0Options): HostedIdentity {
  const { domain, clientId, clientSecret, audience, organization, baseUrl, secrets, patience = RETRY_POLICY } = options;
  const issuer = `https://${domain}/`;
  const secure = baseUrl.startsWith("https:");
  const ask = createAsk(patience);
  const keys = createRemoteJWKSet(new URL(`${issuer}.well-known/jwks.json`), { timeoutDuration: patience.tryMs });
  const management = createManagement({ domain, clientId, clientSecret, ask, patience });
  const cookieOf = (state: string) => attemptCookie(state, { secrets, secure });

  const strategy = new Strategy(
    {
      domain,
      clientId,
      clientSecret,
      redirectURI: `${baseUrl}/auth/callback`,
      scopes: SCOPES,
      organization,
      audience,
      cookie: { name: "auth0", maxAge: ATTEMPT_SECONDS, ...(secure ? { secure } : {}) },
    },
    secrets[0] ?? "",
    async ({ request, tokens }) => {
      const state = new URL(request.url).searchParams.get("state") ?? "";
      const claims = await verify(tokens.idToken(), strategy.nonceOf(state));
      return {
        profile: profileOf(claims),
        tokens: {
          accessToken: tokens.accessToken(),
          refreshToken: tokens.hasRefreshToken() ? tokens.refreshToken() : null,
          idToken: tokens.idToken(),
          expiresAt: tokens.accessTokenExpiresAt().getTime(),
          provedAt: null,
        },
        returnTo: "/",
      };
    },
  );

  return {
    name: "Auth0",

    async start(request, { returnTo, ...wishes }) {
      const answer = await strategy.begin(request, wishes);
      const state = new URL(answer.headers.get("Location") ?? "").searchParams.get("state") ?? "";
      const attempt: Attempt = { returnTo, silent: wishes.silent ?? false, freshSince: wishes.fresh ? Date.now() : null };
      answer.headers.append("Set-Cookie", await cookieOf(state).serialize(attempt));
      return answer;
    },

    async finish(request) {
      const { searchParams } = new URL(request.url);
      const state = searchParams.get("state");
      // Prevents a redirect loop: without a state, the library would redirect to the provider again.
      if (!state) throw new CallbackFailed(searchParams.has("error") ? "denied" : "rejected", "/");
      const attempt = (await cookieOf(state).parse(request.headers.get("Cookie"))) as Attempt | null;
      const { returnTo = "/", silent = false, freshSince = null } = attempt ?? {};
      try {
        const { profile, tokens } = await within(patience.totalMs, strategy.authenticate(request), noAnswer);
        const provedAt = freshSince === null ? null : proofIn(tokens.idToken, freshSince);
        return { profile, tokens: { ...tokens, provedAt }, returnTo };
      } catch (error) {
        if (error instanceof Response) throw error;
        if (silent && error instanceof OAuth2RequestError) throw await this.start(request, { returnTo });
        throw new CallbackFailed(problemOf(error), returnTo, { cause: error });
      }
    },

    refresh: shareRefresh(renew, patience.totalMs),

    logoutUrl() {
      const url = new URL("/v2/logout", issuer);
      url.searchParams.set("client_id", clientId);
      url.searchParams.set("returnTo", baseUrl);
      return Promise.resolve(url.href);
    },

    pageOrigins: () => [new URL(issuer).origin],

    management: {
      rename: (subject, name) => management.update(subject, { name }),
      changeEmail: (subject, email) =>
        management.update(subject, { email, email_verified: false, verify_email: true, client_id: clientId }),
      sendVerification: (subject) => management.sendVerification(subject),
    },
  };

  /** @param nonce null if the token is not from a sign-in attempt */
  async function verify(idToken: string, nonce: string | null): Promise<JWTPayload> {
    const { payload } = await jwtVerify(idToken, keys, {
      issuer,
      audience: clientId,
      algorithms: ["RS256"],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ["sub", "exp", "iat"],
    });
    if (nonce !== null && payload.nonce !== nonce) throw new errors.JWTClaimValidationFailed("wrong nonce", payload, "nonce");
    if (organization && payload.org_id !== organization) {
      throw new errors.JWTClaimValidationFailed("wrong organisation", payload, "org_id");
    }
    return payload;
  }

  async function renew({ refreshToken, provedAt }: HostedTokens & { refreshToken: string }): ReturnType<HostedIdentity["refresh"]> {
    const answer = await askForTokens(refreshToken);
    // Status codes for an invalid grant, which differ between tenants.
    if ([400, 401, 403].includes(answer.status)) return null;
    const body = (await answer.json()) as Record<string, unknown>;
    const idToken = String(body.id_token);
    const tokens: HostedTokens = {
      accessToken: String(body.access_token),
      // Without rotation, the old refresh token stays valid.
      refreshToken: typeof body.refresh_token === "string" ? body.refresh_token : refreshToken,
      idToken,
      expiresAt: Date.now() + Number(body.expires_in) * 1_000,
      provedAt,
    };
    try {
      return { tokens, profile: profileOf(await verify(idToken, null)) };
    } catch (error) {
      if (isRefusal(error)) return null;
      throw new IdentityUnavailable("the keys of the sign-in service are not to be had", { cause: error });
    }
  }

  function askForTokens(refreshToken: string): Promise<Response> {
    return ask(`${issuer}oauth/token`, {
      method: "POST",
      headers: { Authorization: `Basic ${basicCredentials(clientId, clientSecret)}` },
      body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken }),
    });
  }
}

const basicCredentials = (id: string, secret: string) => Buffer.from(`${id}:${secret}`).toString("base64");

/** @throws {NoEmail} */
function profileOf({ sub = "", email, email_verified, name }: JWTPayload): HostedProfile {
  if (typeof email !== "string" || email === "") throw new NoEmail("no email claim");
  return {
    subject: sub,
    email,
    emailVerified: email_verified === true,
    name: typeof name === "string" && name !== "" ? name : email,
  };
}

function problemOf(error: unknown): HostedProblem {
  if (error instanceof NoEmail) return "email";
  if (error instanceof OAuth2RequestError) return error.code === "access_denied" ? "denied" : "expired";
  // Missing cookie of the attempt or of this state; 403 means a used code at Auth0.
  if (error instanceof ReferenceError || error instanceof RangeError) return "expired";
  if (error instanceof UnexpectedResponseError && error.status === 403) return "expired";
  return isRefusal(error) ? "rejected" : "unavailable";
}
