import { timingSafeEqual } from "node:crypto";
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from "express";
import { newId } from "~/billing/demo/protocol/identifier";
import { parseParameters, readParameters } from "~/billing/demo/protocol/parameters";
import { StripeError } from "~/billing/demo/protocol/stripe-error";
import { createIdempotencyStore, type StoredAnswer } from "~/billing/demo/store/idempotency-store";
import { API_VERSION, type Store } from "~/billing/demo/store/store";
import { expandIn } from "./expansion";
import type { Operation } from "./operations";

/** A simulated failure: a broken connection, or another answer. */
type Fault = "reset" | { status: number };

/** Lets tests make requests fail or wait. */
export interface Faults {
  /** Runs before the operation. */
  before?(call: Call): Promise<Fault | void> | Fault | void;
  /** Runs after the change and its answer are stored, before the answer is sent. */
  after?(call: Call): Promise<Fault | void> | Fault | void;
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
  faults?: Faults;
  log?: (problem: string, error: unknown) => void;
}

/** API between servers: https://docs.stripe.com/api */
export function createApi({ store, operations, secretKey, faults = {}, log }: ApiOptions): RequestHandler {
  const answers = createIdempotencyStore(store);
  answers.deleteOld();
  const api = express();
  api.disable("x-powered-by");
  api.disable("etag");
  // Query and body parameters are read in the same way.
  api.set("query parser", false);
  api.use(express.text({ type: () => true, limit: "1mb" }));
  api.use((_request, response, next) => {
    response.set({ "Cache-Control": "no-store", "Request-Id": newId("req"), "Stripe-Version": API_VERSION });
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
  api.use(errorAnswer(log));
  return api;

  async function answer(operation: Operation, request: Request, response: Response): Promise<void> {
    const { method } = operation;
    const key = (method !== "GET" && request.get("Idempotency-Key")) || null;
    const call: Call = { method, path: request.path, idempotencyKey: key };
    const encoded = typeof request.body === "string" && request.body !== "" ? request.body : queryOf(request);
    const identity = `${method} ${request.path}\n${encoded}`;
    const earlier = key ? answers.begin(key, identity) : null;
    if (earlier) {
      response.set("Idempotent-Replayed", "true");
      return send(response, earlier, await faults.after?.(call));
    }
    try {
      const fault = await faults.before?.(call);
      if (fault) return send(response, { status: 200, body: "" }, fault);
      const fields = parseParameters(operation.schema, readParameters(encoded));
      // Atomic: the change and its answer are stored together, so a retry after a crash finds both or neither.
      const result = store.change(() => {
        const done = attempt(() => expandIn(store, runWithin(operation, request, fields), fields.expand));
        if (key) answers.save(key, identity, done);
        return done;
      });
      send(response, result, await faults.after?.(call));
    } finally {
      if (key) answers.end(key);
    }
  }

  function runWithin(operation: Operation, request: Request, fields: { expand?: string[] }): object {
    // An error rolls back its operation, but is stored as the answer.
    return store.db.transaction(() => operation.run(request.params.id ?? "", fields as never))();
  }
}

/** Answer of an operation. Stripe's errors are answers, too; others are thrown again. */
function attempt(work: () => object): StoredAnswer {
  try {
    return { status: 200, body: JSON.stringify(work(), null, 2) };
  } catch (error) {
    if (error instanceof StripeError) return toAnswer(error);
    throw error;
  }
}

const toAnswer = (error: StripeError): StoredAnswer => ({ status: error.status, body: JSON.stringify(error, null, 2) });

function send(response: Response, answer: StoredAnswer, fault?: Fault | void): void {
  if (fault === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  const { status, body } = fault ? toAnswer(new StripeError(fault.status, "api_error", "An error occurred. Please try again.")) : answer;
  response.status(status).type("application/json").send(body);
}

function queryOf({ url }: Request): string {
  const at = url.indexOf("?");
  return at === -1 ? "" : url.slice(at + 1);
}

/** Authorization by the secret key as a bearer token. */
function authorized(secretKey: string): RequestHandler {
  return (request, _response, next) => {
    const [, key = ""] = /^bearer (.+)$/i.exec(request.get("Authorization") ?? "") ?? [];
    if (key === "") throw new StripeError(401, "invalid_request_error", "You did not provide an API key.");
    if (!isSame(key, secretKey)) throw new StripeError(401, "invalid_request_error", "Invalid API Key provided.");
    next();
  };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function errorAnswer(log: ApiOptions["log"]): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    if (error instanceof StripeError) return send(response, toAnswer(error));
    const { status = 500 } = error as { status?: number };
    if (status >= 500) log?.("The cashier could not carry out a request", error);
    const type = status < 500 ? "invalid_request_error" : "api_error";
    send(response, toAnswer(new StripeError(status, type, "The request could not be read or carried out.")));
  };
}
