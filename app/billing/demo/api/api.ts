import { timingSafeEqual } from "node:crypto";
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from "express";
import { API_VERSION, type Store } from "~/billing/demo/store/store";
import { expandIn } from "./expansion";
import { StripeError } from "~/billing/demo/protocol/stripe-error";
import { newId } from "~/billing/demo/protocol/identifier";
import { createIdempotencyStore, type StoredAnswer } from "~/billing/demo/store/idempotency-store";
import type { Operation } from "./operations";
import { parseParameters, readParameters } from "~/billing/demo/protocol/parameters";

/** A simulated failure: a broken connection, or another answer. */
type Mishap = "reset" | { status: number };

/** Lets tests make requests fail or wait. */
export interface Trouble {
  /** Runs before the operation. */
  before?(call: Call): Promise<Mishap | void> | Mishap | void;
  /** Runs after the change and its answer are stored, before the answer is sent. */
  after?(call: Call): Promise<Mishap | void> | Mishap | void;
}

export interface Call {
  method: string;
  path: string;
  idempotencyKey: string | null;
}

export interface ApiOptions {
  store: Store;
  operations: Operation[];
  secretKey: string;
  trouble?: Trouble;
  log?: (problem: string, error: unknown) => void;
}

/** The API between servers: https://docs.stripe.com/api */
export function createApi({ store, operations, secretKey, trouble = {}, log }: ApiOptions): RequestHandler {
  const kept = createIdempotencyStore(store);
  kept.forgetOld();
  const api = express();
  api.disable("x-powered-by");
  api.disable("etag");
  // Query and body parameters are read in the same way.
  api.set("query parser", false);
  api.use(express.text({ type: () => true, limit: "1mb" }));
  api.use((_request, response, next) => {
    response.locals.requestId = newId("req");
    response.set({
      "Cache-Control": "no-store",
      "Request-Id": String(response.locals.requestId),
      "Stripe-Version": API_VERSION,
    });
    next();
  });
  api.use(authorized(secretKey));
  for (const operation of operations) {
    const method = operation.method.toLowerCase() as "get" | "post" | "delete";
    api[method](operation.path, (request, response, next) => {
      answer(operation, request, response).catch(next);
    });
  }
  api.use((request) => {
    throw new StripeError(404, "invalid_request_error", `Unrecognized request URL (${request.method}: ${request.path}).`);
  });
  api.use(refusal(log));
  return api;

  async function answer(operation: Operation, request: Request, response: Response): Promise<void> {
    const { method } = operation;
    const key = (method !== "GET" && request.get("Idempotency-Key")) || null;
    if (key) response.set("Idempotency-Key", key);
    const call: Call = { method, path: request.path, idempotencyKey: key };
    const encoded = typeof request.body === "string" && request.body !== "" ? request.body : queryOf(request);
    const whole = `${method} ${request.path}\n${encoded}`;
    const earlier = key ? kept.begin(key, whole) : null;
    if (earlier) {
      response.set("Idempotent-Replayed", "true");
      return send(response, earlier, await trouble.after?.(call));
    }
    try {
      const mishap = await trouble.before?.(call);
      if (mishap) return send(response, { status: 200, body: "" }, mishap);
      const raw = readParameters(encoded);
      const fields = parseParameters(operation.schema, raw);
      const cause = { id: String(response.locals.requestId), idempotencyKey: key };
      // Atomic: the change and its answer are stored together, so a retry after a crash finds both or neither.
      const result = store.change(() => {
        const done = attempt(() => expandIn(store, runWithin(operation, request, fields), fields.expand));
        if (key) kept.keep(key, whole, done);
        return done;
      }, cause);
      send(response, result, await trouble.after?.(call));
    } finally {
      if (key) kept.end(key);
    }
  }

  function runWithin(operation: Operation, request: Request, fields: { expand?: string[] }): object {
    // A refusal rolls back its operation; the refusal itself is stored.
    return store.db.transaction(() => operation.run(request.params.id ?? "", fields as never))();
  }
}

/** A refusal is an answer, too; other errors are thrown again. */
function attempt(work: () => object): StoredAnswer {
  try {
    return { status: 200, body: JSON.stringify(work(), null, 2) };
  } catch (error) {
    if (error instanceof StripeError) return { status: error.status, body: JSON.stringify(error, null, 2) };
    throw error;
  }
}

function send(response: Response, { status, body }: StoredAnswer, mishap: Mishap | void): void {
  if (mishap === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  if (mishap) {
    const fault = new StripeError(mishap.status, "api_error", "An error occurred. Please try again.");
    response.status(mishap.status).type("application/json").send(JSON.stringify(fault, null, 2));
    return;
  }
  response.status(status).type("application/json").send(body);
}

function queryOf({ url }: Request): string {
  const at = url.indexOf("?");
  return at === -1 ? "" : url.slice(at + 1);
}

/** The secret key, as the user of HTTP Basic or as a bearer token. */
function authorized(secretKey: string): RequestHandler {
  return (request, _response, next) => {
    const [scheme = "", credentials = ""] = (request.get("Authorization") ?? "").split(" ");
    const basic = () => Buffer.from(credentials, "base64").toString().split(":")[0] ?? "";
    const key = /^basic$/i.test(scheme) ? basic() : /^bearer$/i.test(scheme) ? credentials : "";
    if (key === "") {
      throw new StripeError(401, "invalid_request_error", "You did not provide an API key.");
    }
    if (!isSame(key, secretKey)) {
      const shown = `${key.slice(0, 8)}${"*".repeat(Math.max(0, Math.min(20, key.length - 12)))}${key.slice(12).slice(-4)}`;
      throw new StripeError(401, "invalid_request_error", `Invalid API Key provided: ${shown}`);
    }
    next();
  };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function refusal(log: ApiOptions["log"]): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    if (error instanceof StripeError) {
      response.status(error.status).type("application/json").send(JSON.stringify(error, null, 2));
      return;
    }
    const { status = 500 } = error as { status?: number };
    if (status >= 500) log?.("The cashier could not carry out a request", error);
    const type = status < 500 ? "invalid_request_error" : "api_error";
    const fault = new StripeError(status, type, "The request could not be read or carried out.");
    response.status(status).type("application/json").send(JSON.stringify(fault, null, 2));
  };
}
