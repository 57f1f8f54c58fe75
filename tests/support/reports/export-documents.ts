import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { RunFacts } from "~/reports/exports/run";
import { strictSchema } from "./strict-schema";

const schema = JSON.parse(readFileSync("public/schema/run-1.json", "utf8")) as object;
const ajv = new Ajv2020({ allErrors: true, strict: false, formats: { "date-time": (value: string) => !Number.isNaN(Date.parse(value)) } });

/** Validates a run in JSON by its published schema. */
export const isValid = ajv.compile(schema);

/** Validates strictly: rejects fields that the schema does not contain. */
export const isStrictlyValid = ajv.compile(strictSchema(schema));

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** Complete document. */
export const text = async (parts: AsyncIterable<string>) => (await all(parts)).join("");

/** Facts of an export of a one-page run. */
export const facts = (): RunFacts => ({
  ...{ id: "1", url: "https://shop.example/", scope: "page", createdAt: 0, finishedAt: 1, product: "Rampe" },
  standard: { version: "2.2", level: "AA" },
  engines: [],
});
