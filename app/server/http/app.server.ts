import { randomBytes } from "node:crypto";
import path from "node:path";
import { createRequestHandler } from "@remix-run/express";
import type { AppLoadContext, ServerBuild } from "@remix-run/node";
import compression from "compression";
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler, type Response } from "express";
import staticGzip from "express-static-gzip";
import helmet from "helmet";
import type { Logger } from "pino";
import { pinoHttp } from "pino-http";
import type { HostedIdentity } from "~/accounts/hosted/hosted";
import type { PaymentConnection } from "~/billing/connection";
import type { Env } from "~/platform/env.server";
import { pacedResponses } from "./paced-response.server";
import type { Services } from "~/server/services.server";
import { ruleExamples } from "./rule-examples.server";
import { unusableRequests } from "./unusable-requests.server";
import { healthRoutes } from "~/server/health/health-routes.server";
import { withErrorPages } from "./error-pages.server";
import { guardStorage } from "./storage-guard.server";
import { createVisitor, type Visitor } from "~/accounts/visitor.server";

declare module "@remix-run/node" {
  /** Data of a request from Express, for routes. */
  interface AppLoadContext {
    /** CSP nonce: allows only this response's own inline scripts. */
    nonce: string;
    /** Reference on error pages; the same as `req.id` in the log. */
    requestId: string;
    /** The visitor's address after `TRUST_PROXY` hops. */
    clientAddress: string;
    log: Logger;
    services: Services;
    /** The visitor who sent the request. */
    visitor: Visitor;
    /** True after an action that shows its form again with problems: the page's title then says so. */
    formProblem?: boolean;
    /** Status and requested path of a request that cannot be handled. */
    refused?: { status: number; path: string };
    /** True for a request of Remix' scripts (`.data`): errors stay data. */
    isDataRequest: boolean;
    /** Error of a resource route; the error page throws it again. */
    failure?: { thrown: unknown };
  }
}

export interface HttpOptions {
  env: Env;
  log: Logger;
  services: Services;
  /** Connection to the payment provider; null if nothing is sold. */
  payments: PaymentConnection | null;
  /** Remix' server build, or a function that loads the current one (development). */
  build: ServerBuild | (() => Promise<ServerBuild>);
  /** Handler of browser assets: the built files, or Vite's middleware (development). */
  assets: RequestHandler;
}

/** The whole web server as one Express application; the caller starts and stops it. */
export function createHttpApp({ env, log, services, payments, build, assets }: HttpOptions): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("trust proxy", env.TRUST_PROXY);

  app.use(requestLog(log));
  if (env.TRUST_PROXY === 0) app.use(proxyWarning(log));
  app.use(healthRoutes(services));
  if (env.ROLE === "worker") app.use(metricsOnly);
  app.use(nonce);
  app.use(securityHeaders(env, services.hosted, payments));
  app.use(compression(), pacedResponses);
  app.use(unusableRequests({ baseUrl: env.BASE_URL, isSet: env.hasBaseUrl }));
  if (payments?.pages) app.use(payments.pages.path, payments.pages.handler);
  app.use(assets);
  app.use(ruleExamples);
  app.all("*", createRequestHandler({ build: guardedBuild(build, env.NODE_ENV), mode: env.NODE_ENV, getLoadContext: loadContext(services) }));
  app.use(lastResort);
  return app;
}

function guardedBuild(build: HttpOptions["build"], mode: Env["NODE_ENV"]): HttpOptions["build"] {
  const guard = (each: ServerBuild) => withErrorPages(guardStorage(each), mode);
  return typeof build === "function" ? async () => guard(await build()) : guard(build);
}

/** Handler of a worker, which has no pages. */
const metricsOnly: RequestHandler = (request, response, next) => {
  if (request.path === "/metrics") next();
  else response.status(404).type("text/plain").send("This process scans; pages are served by others.\n");
};

/** Built files: hashed names are cached for a year, the rest of `public` for an hour. */
export function builtAssets(folder: string): RequestHandler {
  const router = express.Router();
  router.use(
    "/assets",
    staticGzip(path.join(folder, "assets"), {
      enableBrotli: true,
      orderPreference: ["br", "gz"],
      index: false,
      serveStatic: { immutable: true, maxAge: "1y" },
    }),
  );
  router.use(express.static(folder, { maxAge: "1h", index: false, redirect: false }));
  return router;
}

function requestLog(log: Logger): RequestHandler {
  return pinoHttp({
    logger: log,
    genReqId: (_request, response) => {
      const id = requestReference();
      response.setHeader("X-Request-Id", id);
      return id;
    },
    // Without headers, query and address: a log line contains no unnecessary data about a visitor.
    serializers: {
      req: (request: { id: string; method: string; url: string }) => ({
        id: request.id,
        method: request.method,
        path: loggedPath(request.url),
      }),
      res: (response: { statusCode: number }) => ({ status: response.statusCode }),
    },
    customLogLevel: (request, response) => {
      // Level by status: errors themselves are logged where they occur.
      if (response.statusCode >= 400) return "warn";
      return isRoutine(request.url ?? "") ? "silent" : "info";
    },
    customErrorObject: (_request, _response, _error, line: object) => ({ ...line, err: undefined }),
    customErrorMessage: () => "request failed",
    customAttributeKeys: { responseTime: "ms" },
  });
}

/** Warning about an untrusted proxy: all visitors would have one address and share its rate limits. */
function proxyWarning(log: Logger): RequestHandler {
  let warned = false;
  return (request, _response, next) => {
    if (!warned && request.headers["x-forwarded-for"] !== undefined) {
      warned = true;
      log.warn("requests come through a proxy, but TRUST_PROXY is off: all visitors count as one");
    }
    next();
  };
}

// Crockford's alphabet, without letters that look like digits: a reference can be read aloud on the telephone.
const REFERENCE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

function requestReference(): string {
  return Array.from(randomBytes(10), (byte) => REFERENCE_ALPHABET[byte % 32]).join("");
}

/** True for requests that are too frequent for a useful log. */
const isRoutine = (url: string) => url.startsWith("/assets/") || url === "/healthz" || url === "/readyz" || url === "/metrics";

/** Path without the query, and without the secret part of an address that gives access to a result. */
function loggedPath(url: string): string {
  const [path = ""] = url.split("?", 1);
  return path.replace(/^(\/(?:check|shared|unsubscribe)\/[\w.-]{6})[\w.-]+/, "$1…").slice(0, 200);
}

const referenceOf = (response: Response) => String(response.getHeader("X-Request-Id"));

const nonce: RequestHandler = (_request, response, next) => {
  response.locals.nonce = randomBytes(16).toString("base64");
  next();
};

function securityHeaders(env: Env, hosted: HostedIdentity | null, payments: PaymentConnection | null): RequestHandler {
  const https = env.BASE_URL.startsWith("https:");
  const development = env.NODE_ENV === "development";
  const nonceSource = (_request: unknown, response: unknown) => `'nonce-${(response as Response).locals.nonce}'`;
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", nonceSource],
        // Vite's development server writes style sheets into the page and uses a WebSocket.
        styleSrc: ["'self'", ...(development ? ["'unsafe-inline'"] : [])],
        connectSrc: ["'self'", ...(development ? ["ws:"] : [])],
        imgSrc: ["'self'", "data:"],
        fontSrc: ["'self'"],
        manifestSrc: ["'self'"],
        // Sign-out and payment forms redirect to the provider's pages.
        formAction: [
          "'self'",
          // Function, evaluated for each answer: a provider's pages may become known later.
          ...(hosted ? [() => hosted.pageOrigins().join(" ")] : []),
          ...(payments?.pageOrigins ?? []),
        ],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        ...(https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    // Without subdomains: other hosts of the operator's domain may have no certificate.
    strictTransportSecurity: https && { includeSubDomains: false },
    referrerPolicy: { policy: "same-origin" },
    xFrameOptions: { action: "deny" },
  });
}

function loadContext(services: Services) {
  return (request: Request, response: Response): AppLoadContext => ({
    nonce: response.locals.nonce as string,
    requestId: referenceOf(response),
    clientAddress: request.ip ?? "",
    drained: response.locals.drained as () => Promise<void>,
    log: request.log,
    services,
    visitor: createVisitor({
      sessions: services.sessions,
      cookie: services.sessionCookie,
      knownBrowsers: services.knownBrowsers,
      browserCookie: services.browserCookie,
      cookieHeader: request.headers.cookie,
      userAgent: request.headers["user-agent"],
      // After the headers were sent, the next response sets the cookie.
      setCookie: (value) => void (response.headersSent || response.append("Set-Cookie", value)),
      onError: (error) => request.log.error({ err: error }, "the session was not written"),
    }),
    refused: request.refused,
    isDataRequest: request.path.endsWith(".data"),
  });
}

// Handler of errors before or after Remix, which answers its own errors with a page.
const lastResort: ErrorRequestHandler = (error: unknown, request, response, next) => {
  request.log.error({ err: error }, "request failed outside the application");
  if (response.headersSent) return next(error);
  response
    .status(500)
    .type("text/plain")
    .send(`Internal error (${referenceOf(response)})\n`);
};
