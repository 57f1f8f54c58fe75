const MOST_CHARACTERS = 200;

/** Search text of a visitor: the parameter `q` of the address. */
export function searchTextOf({ url }: Pick<Request, "url">): string {
  return (new URL(url).searchParams.get("q") ?? "").trim().slice(0, MOST_CHARACTERS);
}
