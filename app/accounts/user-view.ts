/** The signed-in user, as pages show them. */
export interface UserView {
  name: string;
  email: string;
  emailVerified: boolean;
  /** Their name, address and password are kept by the hosted identity provider. */
  isHosted: boolean;
}

interface WithAccount {
  subject: string | null;
  name: string;
  email: string;
  emailVerified: boolean;
}

export function viewOfUser({ name, email, emailVerified, subject }: WithAccount): UserView {
  return { name, email, emailVerified, isHosted: subject !== null };
}
