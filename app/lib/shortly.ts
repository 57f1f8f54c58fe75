const OPTIONAL_WRITE_MS = 300;

/** Waits a little for a write that an answer can do without; it goes on by itself. */
export async function shortly<Result>(write: Promise<Result>, otherwise: Result, onError: (error: unknown) => void = () => {}): Promise<Result> {
  const safe = write.catch((error: unknown) => {
    onError(error);
    return otherwise;
  });
  const patience = new Promise<Result>((resolve) => setTimeout(resolve, OPTIONAL_WRITE_MS, otherwise).unref());
  return Promise.race([safe, patience]);
}
