import type { KyselyPlugin, QueryId } from "kysely";

/** Plugin that passes on the id of each statement before it runs; drivers find marks of a statement by its id. */
export const queryPlugin = (mark: (id: QueryId) => void): KyselyPlugin => ({
  transformQuery: ({ node, queryId }) => {
    mark(queryId);
    return node;
  },
  transformResult: ({ result }) => Promise.resolve(result),
});
