import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { RequestHandler } from "express";
import qs from "qs";

const FILE = new URL("./stripe/openapi-2025-03-31.basil.json", import.meta.url);
/** Supplement to the main document. */
const SUPPLEMENT = new URL("./stripe/invoices-and-disputes-2025-03-31.basil.json", import.meta.url);
const ID = "stripe";

/** Validator of requests, answers and events; its methods return problems, empty for none. */
export interface StripeContract {
  /** @param encoded form-encoded body, or the query of a request without one */
  request(method: string, path: string, encoded: string): string[];
  answer(method: string, path: string, status: number, body: unknown): string[];
  event(event: { type: string }): string[];
}

interface Operation {
  requestBody?: unknown;
  "x-query-schema"?: unknown;
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> & { Event: { "x-by-type": Record<string, string> } } };
}

interface Supplement extends Pick<OpenApi, "paths"> {
  components: { schemas: Record<string, unknown> };
  /** Schema of the object in an event, by its type. */
  "x-events": Record<string, string>;
}

let opened: StripeContract | undefined;

/** Reads Stripe's own document once; schemas are compiled at first use. */
export function openStripeContract(): StripeContract {
  opened ??= open();
  return opened;
}

function open(): StripeContract {
  const document = JSON.parse(readFileSync(FILE, "utf8")) as OpenApi;
  const { paths, components, "x-events": moreEvents } = JSON.parse(readFileSync(SUPPLEMENT, "utf8")) as Supplement;
  Object.assign(document.paths, paths);
  Object.assign(document.components.schemas, components.schemas);
  const options = { strict: false, allErrors: false, validateFormats: false, validateSchema: false };
  const exact = new Ajv2020(options);
  // In form-encoded data, every value is text.
  const encodedTexts = new Ajv2020({ ...options, coerceTypes: "array" });
  for (const ajv of [exact, encodedTexts]) ajv.addSchema({ $id: ID, ...document });
  const templates = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replace(/\{[^}]+\}/g, "[^/]+")}$`),
  }));
  const byType = document.components.schemas.Event["x-by-type"];

  /** Operation of a path. Exact paths first: a search looks like an id. */
  function operationAt(method: string, path: string) {
    const found = templates.find(({ template }) => template === path) ?? templates.find(({ pattern }) => pattern.test(path));
    const operation = found && document.paths[found.template]?.[method.toLowerCase()];
    return operation && { operation, pointer: pointerOf("paths", found.template, method.toLowerCase()) };
  }

  const compiled = new Map<string, ValidateFunction>();
  function check(ajv: Ajv2020, pointer: string, value: unknown): string[] {
    const key = `${ajv === exact ? "exact" : "encoded"} ${pointer}`;
    const validate = compiled.get(key) ?? ajv.compile({ $ref: `${ID}${pointer}` });
    compiled.set(key, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  }

  return {
    request(method, path, encoded) {
      const at = operationAt(method, path);
      if (!at) return [`${method} ${path} is no operation of Stripe's`];
      const parameters = qs.parse(encoded, { arrayLimit: 1000, depth: 20 });
      const inBody = method === "POST";
      if (inBody && !at.operation.requestBody) return encoded === "" ? [] : [`${method} ${path} takes no parameters`];
      const where = inBody
        ? pointerInto(at.pointer, "requestBody", "content", "application/x-www-form-urlencoded", "schema")
        : pointerInto(at.pointer, "x-query-schema");
      if (!inBody && !at.operation["x-query-schema"]) return [];
      return check(encodedTexts, where, parameters).map((problem) => `${method} ${path}: ${problem}`);
    },
    answer(method, path, status, body) {
      const at = operationAt(method, path);
      if (!at) return status === 404 ? [] : [`${method} ${path} is no operation of Stripe's`];
      const where = pointerInto(at.pointer, "responses", status === 200 ? "200" : "default", "content", "application/json", "schema");
      return check(exact, where, body).map((problem) => `${method} ${path} ${status}: ${problem}`);
    },
    event(event) {
      const pointer = byType[event.type];
      if (pointer) return check(exact, pointer, event).map((problem) => `${event.type}: ${problem}`);
      const schema = moreEvents[event.type];
      if (!schema) return [`${event.type} is no event of Stripe's`];
      const { data } = event as { data?: { object?: unknown } };
      const missing = ["id", "api_version", "created", "livemode", "pending_webhooks"].filter((name) => !(name in event));
      return [
        ...missing.map((name) => `${event.type} has no ${name}`),
        ...check(exact, pointerOf("components", "schemas", schema), data?.object).map((problem) => `${event.type}: ${problem}`),
      ];
    },
  };
}

const pointerOf = (...parts: string[]) => `#/${parts.map(escaped).join("/")}`;

const pointerInto = (pointer: string, ...parts: string[]) => `${pointer}/${parts.map(escaped).join("/")}`;

const escaped = (part: string) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));

/**
 * Validates all requests and answers without changing them. Mount it before the cashier's API.
 * @param problems receives the problems
 */
export function watchContract(problems: string[], contract = openStripeContract()): RequestHandler {
  return (request, response, next) => {
    const [path = "", query = ""] = request.originalUrl.split("?", 2);
    const { method } = request;
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    const send = response.send.bind(response);
    response.send = (body?: unknown) => {
      const sent = Buffer.concat(parts).toString();
      // The error of a refused request may already be the reported problem.
      if (response.statusCode === 200) problems.push(...contract.request(method, path, sent || query));
      if (typeof body === "string" && body !== "") {
        problems.push(...contract.answer(method, path, response.statusCode, JSON.parse(body)));
      }
      return send(body);
    };
    next();
  };
}
