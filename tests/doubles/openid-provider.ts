import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, type JWTPayload } from "jose";
import type { Configuration, Provider as OidcProvider } from "oidc-provider";
import { createMemoryAdapter } from "./openid-memory";

/**
 * A real OpenID provider (node-oidc-provider) over HTTP on loopback, with its own form. Faults change its answers.
 */
export interface OpenIdProvider {
  /** Value for `OIDC_ISSUER`. */
  readonly issuer: string;
  /** All users by id; tests may change them. */
  readonly users: Map<string, OpenIdUser>;
  readonly faults: OpenIdFaults;
  /** All requests, such as `POST /token refresh_token`. */
  readonly requests: string[];
  /** Parameters of every authorization request. */
  readonly authorizations: Partial<Record<string, string>>[];
  /** Makes all tokens, grants and sessions invalid. */
  forgetAll(): void;
  close(): Promise<void>;
}

export interface OpenIdUser {
  id: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
}

interface OpenIdFaults {
  /** Status of all answers. */
  status?: number;
  /** Changes its metadata document. */
  description?: (description: Record<string, unknown>) => unknown;
  /** Changes the claims of id tokens, which are signed again with the same key. */
  claims?: (claims: JWTPayload) => JWTPayload;
  /** Changes the answer of the token endpoint. */
  tokens?: (answer: Record<string, unknown>) => Record<string, unknown> | Promise<Record<string, unknown>>;
  /** Changes the answer of the userinfo endpoint. */
  userInfo?: (answer: Record<string, unknown>) => Record<string, unknown>;
}

export interface OpenIdOptions {
  clientId: string;
  clientSecret: string;
  /** Origin of the application. */
  origin: string;
  port?: number;
  /** Whether id tokens contain the claims of the scopes; by default, only the userinfo endpoint has them. */
  claimsInIdToken?: boolean;
  /** Lifetime of access tokens, in seconds. */
  accessTokenSeconds?: () => number;
  clientAuthentication?: "client_secret_basic" | "client_secret_post";
  algorithm?: "RS256" | "ES256";
}

/** Header of the double's requests to itself, whose answers are changed afterwards. */
const GENUINE = "x-genuine";

export async function startOpenIdProvider(options: OpenIdOptions): Promise<OpenIdProvider> {
  const { clientId, clientSecret, origin, algorithm = "RS256", clientAuthentication = "client_secret_basic" } = options;
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: "double-1", alg: algorithm, use: "sig" };
  const users = new Map<string, OpenIdUser>();
  const faults: OpenIdFaults = {};
  const requests: string[] = [];
  const authorizations: Record<string, string>[] = [];
  const memory = createMemoryAdapter();

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;

  const configuration: Configuration = {
    adapter: memory.adapter,
    jwks: { keys: [jwk] } as Configuration["jwks"],
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${origin}/auth/callback`],
        post_logout_redirect_uris: [`${origin}/`],
        grant_types: ["authorization_code", "refresh_token"],
        token_endpoint_auth_method: clientAuthentication,
        id_token_signed_response_alg: algorithm,
      },
    ],
    clientAuthMethods: [clientAuthentication],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: !options.claimsInIdToken,
    cookies: { keys: ["a key of the double"] },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { logoutSource, enabled: true } },
    findAccount: (_context, id) => {
      const user = users.get(id);
      return user && { accountId: id, claims: () => ({ ...user, sub: id }) };
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    issueRefreshToken: (_context, client) => client.grantTypeAllowed("refresh_token"),
    loadExistingGrant,
    pkce: { required: () => true },
    renderError: (context, error) => {
      context.type = "json";
      context.body = error;
    },
    ttl: { AccessToken: () => options.accessTokenSeconds?.() ?? 3_600, Grant: 86_400, IdToken: 3_600, Interaction: 600, RefreshToken: 86_400, Session: 86_400 },
  };
  const provider = new (await library())(issuer, configuration);
  const genuine = provider.callback();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", issuer);
    if (request.headers[GENUINE]) return genuine(request, response);
    const body = request.method === "POST" && url.pathname === "/token" ? await text(request) : undefined;
    requests.push([request.method, url.pathname, new URLSearchParams(body).get("grant_type")].filter(Boolean).join(" "));
    if (faults.status) return void response.writeHead(faults.status).end();
    if (url.pathname === "/auth") authorizations.push(Object.fromEntries(url.searchParams));
    if (url.pathname.startsWith("/interaction/")) return interact(request, response);
    const change = changeOf(url.pathname);
    if (body === undefined && !change) return genuine(request, response);

    const { host: _host, "content-length": _length, connection: _connection, ...headers } = request.headers;
    const answer = await fetch(url, { method: request.method, headers: { ...(headers as Record<string, string>), [GENUINE]: "yes" }, body });
    const told = (await answer.json()) as Record<string, unknown>;
    const changed = answer.ok && change ? await change(told) : told;
    response.writeHead(answer.status, { "Content-Type": "application/json" }).end(JSON.stringify(changed));
  }

  function changeOf(path: string): ((answer: Record<string, unknown>) => unknown) | undefined {
    if (path === "/.well-known/openid-configuration") return faults.description;
    if (path === "/me") return faults.userInfo;
    if (path !== "/token" || !(faults.claims ?? faults.tokens)) return undefined;
    return async (answer) => {
      const claims = faults.claims && typeof answer.id_token === "string" ? faults.claims(decodeJwt(answer.id_token)) : null;
      const signed = claims && (await new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid: jwk.kid }).sign(privateKey));
      const withClaims = signed ? { ...answer, id_token: signed } : answer;
      return faults.tokens ? faults.tokens(withClaims) : withClaims;
    };
  }

  /** Form for the sign-in of a person by id, without a password. */
  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === "GET") {
      const { uid } = await provider.interactionDetails(request, response);
      response.writeHead(200, { "Content-Type": "text/html" }).end(`<!doctype html><html lang="en"><title>Provider</title>
        <h1>Log in</h1><form method="post" action="/interaction/${uid}"><label>Id <input name="id"></label>
        <button name="action" value="continue">Continue</button><button name="action" value="deny">Decline</button></form></html>`);
      return;
    }
    const sent = new URLSearchParams(await text(request));
    const denied = { error: "access_denied", error_description: "The person declined" };
    const result = sent.get("action") === "deny" ? denied : { login: { accountId: sent.get("id") ?? "" } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }

  return {
    issuer,
    users,
    faults,
    requests,
    authorizations,
    forgetAll: () => memory.clear(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The application belongs to the same organisation: no consent is necessary. */
const loadExistingGrant: Configuration["loadExistingGrant"] = async (context) => {
  const { client, session, provider, params } = context.oidc;
  const id = client && session?.grantIdFor(client.clientId);
  const existing = id ? await provider.Grant.find(id) : undefined;
  if (existing) return existing;
  const grant = new provider.Grant({ accountId: session?.accountId, clientId: client?.clientId });
  grant.addOIDCScope(String(params?.scope));
  await grant.save();
  return grant;
};

/** Form that ends the session, without a question. */
function logoutSource(context: { body: unknown; type: string }, form: string): void {
  context.type = "html";
  context.body = `<!doctype html><html lang="en"><title>Provider</title>${form.replace("</form>", '<button name="logout" value="yes">Log out</button></form>')}</html>`;
}

/** Loads the library without its warnings about untested versions of Node.js. */
async function library(): Promise<typeof OidcProvider> {
  const { warn } = console;
  console.warn = () => {};
  try {
    return (await import("oidc-provider")).Provider;
  } finally {
    console.warn = warn;
  }
}
