import { secondsUntil, type Refused } from "~/platform/limits/rate-limit.server";
import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs } from "@remix-run/node";
import type { Scope } from "./scopes";
import { answerProblem, ApiProblem } from "./problem-answer.server";
import type { ProblemKind } from "./problem-kinds";
import { retryAfter } from "~/platform/http/error-status";
import { storageTrouble, type StorageTrouble } from "~/platform/storage-trouble";

type Args = LoaderFunctionArgs | ActionFunctionArgs;
type Services = AppLoadContext["services"];
type Holder = NonNullable<Awaited<ReturnType<Services["apiTokens"]["holderOf"]>>>;
export type OwnRun = NonNullable<Awaited<ReturnType<Services["runs"]["ofOwner"]>>>;

/** Authorized request: its token has the scope, and its owner has the entitlement for the operation. */
export interface ApiRequest {
  request: Request;
  url: URL;
  params: Args["params"];
  context: AppLoadContext;
  tokenId: string;
  user: Holder["user"];
}

export interface ApiOperation {
  scope: Scope;
  /** Required purchase of the owner: one with new scans now; by default, any in the past; or nothing. */
  needs?: "entitlement" | "nothing";
  answer: (request: ApiRequest) => Promise<Response>;
}

const STORAGE_PROBLEMS: Record<StorageTrouble, ProblemKind> = { full: "no-disk-space", unwritable: "not-writable", locked: "busy", unreachable: "busy" };

/**
 * `loader` and `action` of an API address. They check method, token, rate limit, scope and entitlement, and answer every
 * failure as a problem (RFC 9457). Cookies are ignored, so that no other site can act for a signed-in user.
 */
export function apiRoute(operations: Partial<Record<"GET" | "POST" | "DELETE", ApiOperation>>) {
  const allowed = Object.keys(operations).flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return async ({ request, params, context }: Args): Promise<Response> => {
    try {
      const method = request.method === "HEAD" ? "GET" : request.method;
      const operation = operations[method as keyof typeof operations];
      if (!operation) throw new ApiProblem("method-not-allowed", { headers: { Allow: allowed.join(", ") } });
      const { tokenId, user } = await requireToken(request, context, operation);
      return await operation.answer({ request, url: new URL(request.url), params, context, tokenId, user });
    } catch (error) {
      if (error instanceof Response) return error;
      if (error instanceof ApiProblem) return answerProblem(error, request, context);
      context.log.error({ err: error }, "request failed");
      const trouble = storageTrouble(error);
      if (trouble !== null) return answerProblem(new ApiProblem(STORAGE_PROBLEMS[trouble], { headers: { "Retry-After": retryAfter(trouble) } }), request, context);
      return answerProblem(new ApiProblem("internal"), request, context);
    }
  };
}

/** JSON answer without caching, as it is private. */
export function answerJson(document: unknown, init: { status?: number; headers?: Record<string, string> } = {}): Response {
  return new Response(`${JSON.stringify(document)}\n`, {
    status: init.status ?? 200,
    headers: { "Content-Type": "application/json", "Cache-Control": "private, no-store", ...init.headers },
  });
}

/** @throws {ApiProblem} 401, 403 or 429 */
async function requireToken(request: Request, { services }: AppLoadContext, { scope, needs }: ApiOperation): Promise<Holder> {
  const token = bearerOf(request);
  const holder = token === undefined ? null : await services.apiTokens.holderOf(token);
  if (!holder) {
    // RFC 6750: an error code only when the request has a token.
    const challenge = token === undefined ? "" : ', error="invalid_token"';
    throw new ApiProblem("unauthorized", { headers: { "WWW-Authenticate": `Bearer realm="Rampe"${challenge}` } });
  }
  const attempt = await services.apiLimits.requests.take(holder.tokenId);
  if (!attempt.granted) throw rateLimited(attempt);
  if (!holder.scopes.includes(scope)) {
    const challenge = `Bearer realm="Rampe", error="insufficient_scope", scope="${scope}"`;
    throw new ApiProblem("insufficient-scope", { headers: { "WWW-Authenticate": challenge }, values: { scope } });
  }
  // Past purchases count too: paid results stay readable after the end of the plan.
  const { isEntitled, wasEntitled } = services.entitlements;
  const mayGoOn = needs === "entitlement" ? isEntitled : wasEntitled;
  if (needs !== "nothing" && !(await mayGoOn(holder.user.id))) throw new ApiProblem("not-entitled");
  return holder;
}

export function rateLimited({ limit, retryAt }: Refused): ApiProblem {
  const seconds = secondsUntil(retryAt);
  return new ApiProblem("rate-limited", {
    headers: { "Retry-After": String(seconds) },
    values: { limit, seconds },
  });
}

function bearerOf(request: Request): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(request.headers.get("Authorization") ?? "")?.[1];
}
