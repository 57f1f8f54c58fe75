/** Throttled action: a request runs it at once, or at the end of an interval of `ms` for all requests meanwhile. */
export function throttled(ms: number, action: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isRequested = false;

  return function request() {
    isRequested = timer !== undefined;
    if (isRequested) return;
    action();
    timer = setTimeout(() => {
      timer = undefined;
      if (isRequested) request();
    }, ms);
  };
}
