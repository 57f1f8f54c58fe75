import { IdentityUnavailable } from "~/accounts/sign-in-errors";

/** @throws {IdentityUnavailable} if there is no answer after so many ms; the work itself is not cancelled */
export async function within<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new IdentityUnavailable(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
