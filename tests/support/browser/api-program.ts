import { request } from "node:http";
import type { Answered, ApiContract } from "../../contracts/api-contract";

/** Path of the API. */
const API = "/api/v1/runs";

/** JSON without a type. */
export type Json = ReturnType<JSON["parse"]>;
export type Ask = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answered & { json: Json }>;

/**
 * API clients of a server.
 * @param contractViolations receives every difference between the answers and the contract
 */
export function openPrograms(origin: () => string, contract: ApiContract, contractViolations: string[]) {
  /** Client with a token; "" for none. */
  return (token: string): Ask =>
    async (method, path, body, headers = {}) => {
      const answer = await fetch(`${origin()}${path}`, {
        method,
        body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
        headers: {
          ...(token ? { Authorization: `Bearer ${token}` } : {}),
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
      });
      const answered = { method, path, status: answer.status, headers: answer.headers, text: await answer.text() };
      if (path.startsWith(API)) contractViolations.push(...contract.answer(answered));
      return { ...answered, json: answered.text.startsWith("{") ? JSON.parse(answered.text) : undefined };
    };
}

/** Posts to an unchanged path; `fetch` would normalize it. @returns the status of the answer */
export function postRaw(origin: string, path: string, headers: Record<string, string>): Promise<number | undefined> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    request({ hostname, port, method: "POST", path, headers: { ...headers, "Content-Length": "0" } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .once("error", reject)
      .end();
  });
}
