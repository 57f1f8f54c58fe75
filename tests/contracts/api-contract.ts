import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

const FOLDER = new URL("../../public/", import.meta.url);
const ID = "api";
const REPORT = "/schema/run-1.json";

type Schema = Record<string, unknown>;

interface MediaType {
  schema: Schema;
  examples?: Record<string, { value: unknown }>;
}

interface Response {
  $ref?: string;
  headers?: Record<string, { required?: boolean }>;
  content?: Record<string, MediaType>;
}

interface Operation {
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, Response>;
}

interface OpenApi {
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
}

/** Answer to validate, with its request. */
export interface Answered {
  method: string;
  /** Requested path, with the query. */
  path: string;
  status: number;
  headers: Headers;
  text: string;
}

/** API contract of `public/openapi.json`. */
export interface ApiContract {
  /** Differences of an answer from the contract; empty for none. */
  answer(answered: Answered): string[];
  /** Problems of the examples in the document itself. */
  examples(): string[];
  document: OpenApi;
}

/** Reads the document. Undocumented members are problems here, although programs must accept them for later versions. */
export function openApiContract(): ApiContract {
  const document = JSON.parse(readFileSync(new URL("openapi.json", FOLDER), "utf8")) as OpenApi;
  const strict = structuredClone(document);
  for (const schema of Object.values(strict.components.schemas)) close(schema);
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  ajv.addFormat("uri", (text) => URL.canParse(text));
  ajv.addFormat("uri-reference", (text) => URL.canParse(text, "http://host.invalid"));
  ajv.addSchema({ $id: ID, ...strict });
  ajv.addSchema({ ...(JSON.parse(readFileSync(new URL(`.${REPORT}`, FOLDER), "utf8")) as Schema), $id: REPORT });

  const compiled = new Map<string, ValidateFunction>();
  function check(pointer: string, value: unknown): string[] {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `${ID}${pointer}` });
    compiled.set(pointer, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  }

  const server = document.servers[0]?.url ?? "";
  const templates = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${server}${template.replaceAll(".", "\\.").replace(/\{[^}]+\}/g, "[^/]+")}$`),
  }));

  /** Description of an answer, with its location in the document. */
  function describedAt(method: string, path: string, status: number) {
    const found = templates.find(({ pattern }) => pattern.test(path.split("?", 1)[0] ?? ""));
    if (!found) return undefined;
    const response = document.paths[found.template]?.[method.toLowerCase()]?.responses[status];
    if (!response) return undefined;
    if (!response.$ref) {
      return { response, pointer: pointerOf("paths", found.template, method.toLowerCase(), "responses", String(status)) };
    }
    const shared = document.components.responses[response.$ref.split("/").at(-1) ?? ""];
    return shared && { response: shared, pointer: response.$ref };
  }

  return {
    document,
    answer({ method, path, status, headers, text }) {
      const where = `${method} ${path} ${status}`;
      const described = describedAt(method, path, status);
      if (!described) return [`${where} is not described`];
      const { response, pointer } = described;
      const missing = Object.entries(response.headers ?? {}).flatMap(([name, { required }]) =>
        required && !headers.has(name) ? [`has no ${name}`] : [],
      );
      if (!response.content) return text === "" ? [] : [`${where} has a body`];
      const type = headers.get("Content-Type")?.split(";", 1)[0] ?? "";
      if (!response.content[type]) return [`${where} is of type ${type}`];
      const value: unknown = type.endsWith("json") ? JSON.parse(text) : text;
      const problems = check(`${pointer}/${["content", type, "schema"].map(escaped).join("/")}`, value);
      return [...missing, ...problems].map((problem) => `${where}: ${problem}`);
    },
    examples() {
      const media = (value: { content?: Record<string, MediaType> } | undefined, pointer: string) =>
        Object.entries(value?.content ?? {}).flatMap(([type, { examples = {} }]) =>
          Object.entries(examples).flatMap(([name, example]) =>
            check(`${pointer}/${["content", type, "schema"].map(escaped).join("/")}`, example.value).map((problem) => `${name}: ${problem}`),
          ),
        );
      const shared = Object.entries(document.components.responses).flatMap(([name, response]) =>
        media(response, pointerOf("components", "responses", name)),
      );
      const own = Object.entries(document.paths).flatMap(([template, operations]) =>
        Object.entries(operations).flatMap(([method, { requestBody, responses = {} }]) => [
          ...media(requestBody, pointerOf("paths", template, method, "requestBody")),
          ...Object.entries(responses).flatMap(([status, response]) =>
            media(response, pointerOf("paths", template, method, "responses", status)),
          ),
        ]),
      );
      return [...shared, ...own];
    },
  };
}

function close(schema: unknown): void {
  if (typeof schema !== "object" || schema === null) return;
  if ("properties" in schema && "type" in schema && !("additionalProperties" in schema)) {
    Object.assign(schema, { additionalProperties: false });
  }
  for (const inner of Object.values(schema)) close(inner);
}

const pointerOf = (...parts: string[]) => `#/${parts.map(escaped).join("/")}`;

const escaped = (part: string) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
