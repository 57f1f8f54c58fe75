import type { AppLoadContext } from "@remix-run/node";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { PROBLEMS, problemType, type ProblemKind } from "./problem-kinds";

/** What is wrong with one entry; `problem` names its text (`tokens:entry.…`, or `home:address.…` for a URL). */
export interface EntryProblem {
  /** Where it stood: a member of the body, a parameter of the query, or a header. */
  in: "body" | "query" | "header";
  /** "" for the body as a whole. */
  name: string;
  problem: string;
}

export interface ProblemMore {
  headers?: Record<string, string>;
  entries?: EntryProblem[];
  /** What the text names, such as the wait. */
  values?: Record<string, string | number>;
}

/** Ends an answer of the API with a problem. */
export class ApiProblem extends Error {
  override name = "ApiProblem";

  constructor(
    readonly kind: ProblemKind,
    readonly more: ProblemMore = {},
  ) {
    super(kind);
  }
}

/** A problem as RFC 9457 has it, in the language that the program asked for. */
export async function answerProblem(
  { kind, more: { headers = {}, entries, values = {} } }: ApiProblem,
  request: Request,
  { requestId }: AppLoadContext,
): Promise<Response> {
  const locale = await localeOf(request);
  const t = textsOf(locale).getFixedT(null, ["tokens", "home"]);
  const { pathname } = new URL(request.url);
  const status = PROBLEMS[kind];
  const problem = {
    type: problemType(kind),
    title: t(`problem.${kind}.title`),
    status,
    detail: t(`problem.${kind}.detail`, values),
    instance: pathname,
    reference: requestId,
    ...(entries ? { errors: entries.map((entry) => ({ ...placeOf(entry), detail: wordsFor(entry) })) } : {}),
  };
  return new Response(`${JSON.stringify(problem)}\n`, {
    status,
    headers: {
      "Content-Type": "application/problem+json",
      "Content-Language": locale,
      "Cache-Control": "no-store",
      Vary: "Accept-Language",
      ...headers,
    },
  });

  function wordsFor({ in: where, name, problem: entryProblem }: EntryProblem): string {
    return where === "body" && name === "url"
      ? t(`home:address.${entryProblem as "missing"}`)
      : t(`entry.${entryProblem as "unknown"}`, values);
  }
}

/** A member of the body by its JSON Pointer (RFC 6901), as a URI fragment. */
function placeOf({ in: where, name }: EntryProblem): Record<string, string> {
  if (where !== "body") return { [where === "query" ? "parameter" : "header"]: name };
  return { pointer: name === "" ? "#" : `#/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}` };
}
