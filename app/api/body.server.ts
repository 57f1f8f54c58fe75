import { ApiProblem } from "./problem-answer.server";

/**
 * The JSON body of a request.
 * @throws {ApiProblem} 415 for another type, 400 for invalid JSON
 */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^application\/json\s*(?:;|$)/i.test(type)) {
    throw new ApiProblem("unsupported-media-type", { headers: { "Accept-Post": "application/json" } });
  }
  // The length has already been checked, before the body is read.
  const bytes = await request.arrayBuffer();
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as unknown;
  } catch {
    throw new ApiProblem("invalid-json");
  }
}
