import german from "locales/de/common.json";
import english from "locales/en/common.json";
import type { TestServer } from "../servers/server";

export const ERRORS = { de: german.errors, en: english.errors };
export const LANGUAGES = ["de", "en"] as const;

/** Functions that send requests. @param current the server of the tests, for requests without one */
export function httpClient(current: () => TestServer) {
  const ask = (path: string, init: RequestInit = {}, at = current()) =>
    fetch(`${at.origin}${path}`, { redirect: "manual", ...init });

  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}, at = current()) =>
    ask(path, { method: "POST", body: new URLSearchParams(fields), headers }, at);

  return { ask, post };
}

/** Text of a page, without its scripts. */
export const textOf = (html: string) => html.replace(/<script[\s\S]*?<\/script>/g, "").replace(/<[^>]+>/g, " ");
