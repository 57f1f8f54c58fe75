import type { AppLoadContext } from "@remix-run/node";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { PROBLEMS, problemType, type ProblemKind } from "./problem-kinds";

/** Problem of one entry; `problem` names its text (`tokens:entry.…`, or `home:address.…` for a URL). */
export interface EntryProblem {
  /** Location of the entry: a member of the body, a parameter of the query, or a header. */
  in: "body" | "query" | "header";
  /** Name of the entry; "" for the whole body. For a nested member, a JSON Pointer without its first slash. */
  name: string;
  problem: string;
}

export interface ProblemMore {
  headers?: Record<string, string>;
  entries?: EntryProblem[];
  /** Values for placeholders of the text, such as the waiting time. */
  values?: Record<string, string | number>;
}

/** Error that the API answers with a problem document. */
export class ApiProblem extends Error {
  override name = "ApiProblem";

  constructor(
    readonly kind: ProblemKind,
    readonly more: ProblemMore = {},
  ) {
    super(kind);
  }
}

/** Problem document by RFC 9457, in the language that the client requests. */
export async function answerProblem(
  { kind, more: { headers = {}, entries, values = {} } }: ApiProblem,
  request: Request,
  { requestId, refused }: AppLoadContext,
): Promise<Response> {
  const locale = await localeOf(request);
  const t = textsOf(locale).getFixedT(null, ["tokens", "home"]);
  const status = PROBLEMS[kind];
  const problem = {
    type: problemType(kind),
    title: t(`problem.${kind}.title`),
    status,
    detail: t(`problem.${kind}.detail`, values),
    instance: refused?.path ?? new URL(request.url).pathname,
    reference: requestId,
    ...(entries ? { errors: entries.map((entry) => ({ ...locationOf(entry), detail: wordsFor(entry) })) } : {}),
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

/** Location of the entry; a member of the body as a JSON Pointer (RFC 6901) in a URI fragment. */
function locationOf({ in: where, name }: EntryProblem): Record<string, string> {
  if (where !== "body") return { [where === "query" ? "parameter" : "header"]: name };
  return { pointer: name === "" ? "#" : `#/${name.toWellFormed().split("/").map(encodeURIComponent).join("/")}` };
}
