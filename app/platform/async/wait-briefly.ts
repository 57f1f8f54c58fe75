import { withinOr } from "./deadline";

const OPTIONAL_WRITE_MS = 300;

/** Waits briefly for a write that the response does not need; the write itself continues. */
export async function waitBriefly<Result>(write: Promise<Result>, otherwise: Result, onError: (error: unknown) => void = () => {}): Promise<Result> {
  const safe = write.catch((error: unknown) => {
    onError(error);
    return otherwise;
  });
  return withinOr(OPTIONAL_WRITE_MS, safe, otherwise);
}
