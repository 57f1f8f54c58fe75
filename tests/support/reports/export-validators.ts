import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import Ajv from "ajv-draft-04";
import jsonld, { type JsonLdDocument } from "jsonld";

// Schema of SARIF 2.1.0, as published by schemastore.org.
const SARIF_SCHEMA = createRequire(import.meta.url).resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");

/** Violations of SARIF's own schema in a log. */
export function sarifProblems(log: unknown): string[] {
  const isUri = (value: string) => URL.canParse(value, "https://shop.example/");
  const formats = { uri: (value: string) => URL.canParse(value), "uri-reference": isUri, "date-time": (value: string) => !Number.isNaN(Date.parse(value)) };
  const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false, formats });
  const validate = ajv.compile(JSON.parse(readFileSync(SARIF_SCHEMA, "utf8")) as object);
  validate(log);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Statements of a JSON-LD document, as N-Quads. @throws if a part has no meaning, or needs a fetch */
export async function statementsOf(document: unknown): Promise<string[]> {
  const refuse = (url: string) => Promise.reject(new Error(`It wants to load ${url}.`));
  // The package's types lack `safe`.
  const options = { format: "application/n-quads", safe: true, documentLoader: refuse } as const;
  // With a format, the result is text.
  const quads = (await jsonld.toRDF(document as JsonLdDocument, options)) as unknown as string;
  return quads.trimEnd().split("\n");
}
