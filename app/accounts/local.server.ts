import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import { parseEmailAddress } from "~/platform/forms/email-address";
import { textField } from "~/platform/forms/read-form";
import { WrongCredentials } from "./sign-in-errors";

interface LocalAccounts<User> {
  /** @returns undefined if address and password do not match */
  signIn(email: string, password: string): Promise<User | undefined>;
}

/**
 * Authenticator for a log-in form (`email`, `password`), as strategy `local`.
 * @throws {WrongCredentials} from `authenticate`
 */
export function createLocalAuthenticator<User>(accounts: LocalAccounts<User>): Authenticator<User> {
  const strategy = new FormStrategy<User>(async ({ form }) => {
    const email = parseEmailAddress(textField(form, "email")) ?? "";
    const user = await accounts.signIn(email, textField(form, "password"));
    if (user === undefined) throw new WrongCredentials();
    return user;
  });
  return new Authenticator<User>().use(strategy, "local");
}
