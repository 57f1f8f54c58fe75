import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import express, { type Request, type Response } from "express";
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from "jose";
import { addManagement, type Auth0User } from "./auth0-management";

/**
 * Test double of an Auth0 tenant, over HTTPS on loopback, with the paths and answers of the real one
 * (https://auth0.com/docs/api/authentication, https://auth0.com/docs/api/management/v2). It is as strict as the real one:
 * PKCE, client secret, allow-lists of addresses, single-use codes, rotating refresh tokens (reuse ends the family), scopes of
 * the Management API.
 */
export interface Auth0Double {
  /** Value for `AUTH0_DOMAIN`. */
  readonly domain: string;
  /** All users; tests may change them. */
  readonly users: Map<string, Auth0User>;
  /** Faults that replace the correct answers from now on. */
  readonly faults: Faults;
  /** All requests, such as `POST /oauth/token refresh_token`. */
  readonly requests: string[];
  /** Parameters of every request to `/authorize`. */
  readonly authorizations: Partial<Record<string, string>>[];
  /** All tokens issued to the application. */
  readonly issued: string[];
  /** Recipients of its mails with a confirmation link. */
  readonly mails: string[];
  /** Ends all sessions at the provider. */
  endSessions(): void;
  /** Makes all refresh tokens invalid. */
  endRefreshTokens(): void;
  /** Allows the application at an origin to use it. */
  allow(origin: string): void;
  close(): Promise<void>;
}

interface Faults {
  /** Changes the claims of id tokens. */
  claims?: (claims: JWTPayload) => JWTPayload;
  /** Replaces the id token. */
  idToken?: (claims: JWTPayload, genuine: string) => Promise<string> | string;
  /** Answers every request to the token endpoint with this status. */
  tokenStatus?: number;
  /** Answers every request for the keys of id tokens with this status. */
  keysStatus?: number;
  /** Answers every request to the Management API with this status. */
  managementStatus?: number;
  /** The token endpoint never answers. */
  silent?: boolean;
  /** Issues no refresh token. */
  noRefreshToken?: boolean;
  /** Lifetime of access tokens, in seconds; 3600 by default. */
  expiresIn?: number;
}

export interface Auth0Options {
  key: string;
  cert: string;
  clientId: string;
  clientSecret: string;
  /** Scopes that the client may have for the Management API. */
  managementScopes?: string[];
  /** Only API with access tokens. */
  audience?: string;
  organization?: string;
  port?: number;
}

interface Grant {
  user: Auth0User;
  redirectUri: string;
  challenge: string;
  nonce?: string;
  scope: string;
  audience?: string;
  organization?: string;
  /** Time of the sign-in, in Unix seconds. */
  authTime?: number;
}

interface Family {
  grant: Grant;
  /** Only valid refresh token. */
  current: string;
  ended: boolean;
}

const PATHS = { callback: "/auth/callback", logout: "/" };

export async function startAuth0(options: Auth0Options): Promise<Auth0Double> {
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: "double-1", alg: "RS256", use: "sig" };
  const users = new Map<string, Auth0User>();
  const faults: Faults = {};
  const requests: string[] = [];
  const origins = new Set<string>();
  const codes = new Map<string, Grant | "used">();
  const families = new Map<string, Family>();
  const sessions = new Map<string, { user: string; since: number }>();
  const waiting = new Map<string, { query: Record<string, string> }>();
  const authorizations: Record<string, string>[] = [];
  const issued: string[] = [];
  const mails: string[] = [];

  const app = express();
  const server = createServer({ key: options.key, cert: options.cert }, app);
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const domain = `localhost:${(server.address() as AddressInfo).port}`;
  const issuer = `https://${domain}/`;

  app.use(express.urlencoded({ extended: false }), express.json());
  app.use((request, _response, next) => {
    const { grant_type: grant } = (request.body ?? {}) as Record<string, string>;
    requests.push([request.method, request.path, grant].filter(Boolean).join(" "));
    next();
  });

  const refuse = (response: Response, status: number, error: string, description: string) =>
    void response.status(status).json({ error, error_description: description });
  const redirectUris = () => [...origins].map((origin) => `${origin}${PATHS.callback}`);
  const sessionOf = (request: Request) => /(?:^|; )auth0=([^;]+)/.exec(request.headers.cookie ?? "")?.[1] ?? "";

  app.use("/api/v2", (_request, response, next) => {
    if (faults.managementStatus) return refuse(response, faults.managementStatus, "server_error", "as the test wants it");
    next();
  });
  const management = addManagement(app, {
    issuer,
    clientId: options.clientId,
    scopes: options.managementScopes ?? ["update:users"],
    users,
    mails,
  });

  app.get("/.well-known/openid-configuration", (_request, response) => {
    if (faults.keysStatus) return refuse(response, faults.keysStatus, "server_error", "as the test wants it");
    response.json({ issuer, authorization_endpoint: `${issuer}authorize`, token_endpoint: `${issuer}oauth/token`, jwks_uri: `${issuer}.well-known/jwks.json` });
  });

  app.get("/.well-known/jwks.json", (_request, response) => {
    if (faults.keysStatus) return refuse(response, faults.keysStatus, "server_error", "as the test wants it");
    response.json({ keys: [jwk] });
  });

  app.get("/authorize", (request, response) => {
    const query = request.query as Record<string, string>;
    authorizations.push(query);
    if (query.client_id !== options.clientId) return refuse(response, 403, "invalid_request", "Unknown client");
    if (!redirectUris().includes(query.redirect_uri ?? "")) return refuse(response, 403, "invalid_request", "Callback URL mismatch");
    const back = (parameters: Record<string, string>) => {
      const target = new URL(query.redirect_uri ?? "");
      for (const [name, value] of Object.entries({ ...parameters, state: query.state ?? "" })) {
        if (value) target.searchParams.set(name, value);
      }
      response.redirect(302, target.href);
    };
    if (query.response_type !== "code") return back({ error: "unsupported_response_type" });
    if (!query.state || query.code_challenge_method !== "S256" || !query.code_challenge) {
      return back({ error: "invalid_request", error_description: "state and PKCE are required" });
    }
    if (!query.scope?.split(" ").includes("openid")) return back({ error: "invalid_scope" });
    if (options.audience && query.audience !== options.audience) {
      return back({ error: "access_denied", error_description: `Service not found: ${query.audience ?? ""}` });
    }
    if (options.organization && query.organization !== options.organization) {
      return back({ error: "invalid_request", error_description: "parameter organization is required for this client" });
    }
    const session = sessions.get(sessionOf(request));
    const user = users.get(session?.user ?? "");
    const isOld = query.max_age !== undefined && Date.now() - (session?.since ?? 0) >= Number(query.max_age) * 1_000;
    if (session && user && query.prompt !== "login" && !isOld) return back({ code: issueCode(user, query, session.since) });
    if (query.prompt === "none") return back({ error: "login_required", error_description: "Login required" });
    const id = randomBytes(16).toString("base64url");
    waiting.set(id, { query });
    response.redirect(302, `/u/${query.screen_hint === "signup" ? "signup" : "login"}?state=${id}`);
  });

  app.get(["/u/login", "/u/signup"], (request, response) => {
    const { state = "" } = request.query as Record<string, string>;
    if (!waiting.has(state)) return refuse(response, 400, "invalid_request", "Unknown state");
    const isSignup = request.path.endsWith("signup");
    response.type("html").send(`<!doctype html><html lang="en"><head><title>Auth0 double</title></head><body><main>
      <h1>${isSignup ? "Sign up" : "Log in"}</h1>
      <form method="post" action="/u/login?state=${state}">
        <p><label>Email <input name="email" type="email"></label></p>
        <p><label>Password <input name="password" type="password"></label></p>
        <button name="action" value="continue">Continue</button>
        <button name="action" value="deny">Decline</button>
      </form></main></body></html>`);
  });

  app.post("/u/login", (request, response) => {
    const { state = "" } = request.query as Record<string, string>;
    const { email, password, action } = request.body as Record<string, string>;
    const query = waiting.get(state)?.query;
    if (!query) return refuse(response, 400, "invalid_request", "Unknown state");
    const target = new URL(query.redirect_uri ?? "");
    target.searchParams.set("state", query.state ?? "");
    if (action === "deny") {
      target.searchParams.set("error", "access_denied");
      target.searchParams.set("error_description", "User did not authorize the request");
      waiting.delete(state);
      return response.redirect(302, target.href);
    }
    const user = [...users.values()].find((each) => each.email === email && each.password === password);
    if (!user) return response.redirect(302, `/u/login?state=${state}`);
    waiting.delete(state);
    const session = randomBytes(16).toString("base64url");
    const since = Date.now();
    sessions.set(session, { user: user.user_id, since });
    response.setHeader("Set-Cookie", `auth0=${session}; Path=/; HttpOnly; Secure; SameSite=None`);
    target.searchParams.set("code", issueCode(user, query, since));
    response.redirect(302, target.href);
  });

  /** @param since time of the password entry, Unix time in ms; only part of the answer if requested, as in the real one */
  function issueCode(user: Auth0User, query: Record<string, string>, since: number): string {
    const isAsked = query.max_age !== undefined || query.prompt === "login";
    const code = randomBytes(24).toString("base64url");
    codes.set(code, {
      user,
      redirectUri: query.redirect_uri ?? "",
      challenge: query.code_challenge ?? "",
      nonce: query.nonce,
      scope: query.scope ?? "",
      audience: query.audience,
      organization: query.organization,
      authTime: isAsked ? Math.floor(since / 1_000) : undefined,
    });
    return code;
  }

  app.post("/oauth/token", async (request, response) => {
    if (faults.silent) return;
    if (faults.tokenStatus) return refuse(response, faults.tokenStatus, "server_error", "as the test wants it");
    const body = request.body as Record<string, string>;
    const [id = "", secret = ""] = clientOf(request, body);
    if (id !== options.clientId || secret !== options.clientSecret) {
      return refuse(response, 401, "access_denied", "Unauthorized");
    }
    switch (body.grant_type) {
      case "authorization_code":
        return byCode(body, response);
      case "refresh_token":
        return byRefreshToken(body, response);
      case "client_credentials":
        return forManagement(body, response);
      default:
        return refuse(response, 403, "unsupported_grant_type", String(body.grant_type));
    }
  });

  async function byCode(body: Record<string, string>, response: Response): Promise<void> {
    const grant = codes.get(body.code ?? "");
    if (grant === undefined || grant === "used") return refuse(response, 403, "invalid_grant", "Invalid authorization code");
    codes.set(body.code ?? "", "used");
    const challenge = createHash("sha256").update(body.code_verifier ?? "").digest("base64url");
    if (challenge !== grant.challenge) return refuse(response, 403, "invalid_grant", "Failed to verify code verifier");
    if (body.redirect_uri !== grant.redirectUri) return refuse(response, 403, "invalid_grant", "The redirect URI is wrong");
    await answerWithTokens(response, grant);
  }

  async function byRefreshToken(body: Record<string, string>, response: Response): Promise<void> {
    const family = families.get(body.refresh_token ?? "");
    if (!family || family.ended) return refuse(response, 403, "invalid_grant", "Unknown or invalid refresh token.");
    if (family.current !== body.refresh_token) {
      family.ended = true;
      return refuse(response, 403, "invalid_grant", "Unknown or invalid refresh token.");
    }
    const grant = { ...family.grant, user: users.get(family.grant.user.user_id) ?? family.grant.user, nonce: undefined };
    await answerWithTokens(response, grant, family);
  }

  async function answerWithTokens(response: Response, grant: Grant, family?: Family): Promise<void> {
    const now = Math.floor(Date.now() / 1_000);
    const { user_id, password: _password, ...profile } = grant.user;
    const standard: JWTPayload = {
      ...profile,
      iss: issuer,
      sub: user_id,
      aud: options.clientId,
      iat: now,
      exp: now + 36_000,
      ...(grant.nonce ? { nonce: grant.nonce } : {}),
      ...(grant.organization ? { org_id: grant.organization } : {}),
      ...(grant.authTime ? { auth_time: grant.authTime } : {}),
    };
    const claims = faults.claims?.(standard) ?? standard;
    const header = { alg: "RS256", kid: jwk.kid, typ: "JWT" };
    const genuine = await new SignJWT(claims).setProtectedHeader(header).sign(privateKey);
    const idToken = (await faults.idToken?.(claims, genuine)) ?? genuine;
    const accessToken = randomBytes(24).toString("base64url");
    issued.push(accessToken, idToken);
    response.json({
      access_token: accessToken,
      id_token: idToken,
      scope: grant.scope,
      expires_in: faults.expiresIn ?? 3_600,
      token_type: "Bearer",
      ...(grant.scope.includes("offline_access") && !faults.noRefreshToken
        ? { refresh_token: nextRefreshToken(grant, family) }
        : {}),
    });
  }

  function nextRefreshToken(grant: Grant, family: Family = { grant, current: "", ended: false }): string {
    family.current = randomBytes(24).toString("base64url");
    families.set(family.current, family);
    issued.push(family.current);
    return family.current;
  }

  function forManagement({ audience }: Record<string, string>, response: Response): void {
    const granted = management.grant(audience);
    if (!granted) return refuse(response, 403, "access_denied", "Service not enabled within domain");
    response.json(granted);
  }

  app.get("/v2/logout", (request, response) => {
    const { client_id: client, returnTo = "" } = request.query as Record<string, string>;
    if (client !== options.clientId) return refuse(response, 400, "invalid_request", "Unknown client");
    const allowed = [...origins].flatMap((origin) => [origin, `${origin}${PATHS.logout}`]);
    if (!allowed.includes(returnTo)) return refuse(response, 400, "invalid_request", "The returnTo URL is not on the list");
    sessions.delete(sessionOf(request));
    response.setHeader("Set-Cookie", "auth0=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=None");
    response.redirect(302, returnTo);
  });

  return {
    domain,
    users,
    faults,
    requests,
    authorizations,
    issued,
    mails,
    endSessions: () => sessions.clear(),
    endRefreshTokens: () => families.forEach((family) => (family.ended = true)),
    allow: (origin) => void origins.add(origin),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Client id and secret, by HTTP Basic or in the body, but not both (RFC 6749, 2.3). */
function clientOf(request: Request, body: Record<string, string>): string[] {
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (basic && body.client_secret) return [];
  if (!basic) return [body.client_id ?? "", body.client_secret ?? ""];
  return Buffer.from(basic, "base64").toString().split(":").map(decodeURIComponent);
}
