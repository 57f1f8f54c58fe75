/** Automatic reload of a waiting page without scripts. Only on request: a sudden reload interrupts readers (WCAG 2.2.1). */
export interface Reload {
  /** Path of the page. */
  path: string;
  /** Interval between two loads. */
  seconds: number;
  /** True if the visitor has asked for reloads. */
  isOn: boolean;
}

const PARAMETER = "refresh";

export const isReloadOn = (request: Request): boolean => new URL(request.url).searchParams.get(PARAMETER) === "on";

export const reloadOf = (request: Request, path: string, seconds: number): Reload => ({ path, seconds, isOn: isReloadOn(request) });

/** Address with the visitor's choice. */
export const reloadPath = (path: string, isOn: boolean): string => (isOn ? `${path}?${PARAMETER}=on` : path);
