/** Signed-in user, for display. */
export interface UserView {
  name: string;
  email: string;
  emailVerified: boolean;
  /** True if the hosted identity provider keeps name, address and password. */
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
