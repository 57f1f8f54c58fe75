export interface Browser {
  /** Absolute path of the program. */
  path: string;
  /** The headless shell starts faster than the full browser, and in a different way. */
  kind: "headless-shell" | "chrome";
}

/**
 * Finds a browser: the one named by `CHROME_PATH`, else Puppeteer's newest download, else one of the system.
 *
 * @param env `process.env` unless told otherwise; reads `CHROME_PATH`, `PUPPETEER_CACHE_DIR`, `HOME` and `PATH`
 * @param starts whether a browser that exists also runs; asks it for its `--version` by default
 * @returns null when there is none
 * @throws one line that names `CHROME_PATH`, when that is set and cannot be used
 */
export function findBrowser(
  env?: Record<string, string | undefined>,
  starts?: (path: string) => boolean,
): Browser | null;

/** Does a browser start at all? Asked by `--version` (10 s at most). */
export function startsUp(path: string): boolean;
