const MOST_CHARACTERS = 200;

/** What a visitor searches for, as the query of an address says (`q`). */
export function searchTextOf({ url }: Pick<Request, "url">): string {
  return (new URL(url).searchParams.get("q") ?? "").trim().slice(0, MOST_CHARACTERS);
}
