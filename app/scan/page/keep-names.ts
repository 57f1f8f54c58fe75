/** Statement for scripts made of functions' sources: esbuild, which runs them in development, wraps inner functions in calls of `__name`. */
export const KEEP_NAMES = "const __name = (named) => named;";
