/** Strict version of a JSON Schema: it rejects fields that the schema does not contain, so that tests find undocumented fields. */
export function strictSchema(schema: object): object {
  const close = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(close);
    if (value === null || typeof value !== "object") return value;
    const closed = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, close(inner)]));
    return "type" in value && value.type === "object" ? { ...closed, unevaluatedProperties: false } : closed;
  };
  return { ...(close(schema) as object), $id: "urn:test:strict" };
}
