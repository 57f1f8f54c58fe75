/** Options from the server, with bytes as base64url. */
interface OptionsJson {
  challenge: string;
  user?: { id: string };
  excludeCredentials?: { id: string }[];
  allowCredentials?: { id: string }[];
}

/** `sign_in`: for the second step of a sign-in, also while another account is signed in. */
export type PasskeyPurpose = "add" | "use" | "sign_in";

const OPTIONS_PATH = "/account/passkey-options";

/**
 * Requests a challenge from the server and a passkey from the person.
 * @returns the browser's answer as JSON
 * @throws if the person cancels, the browser has no passkeys, or the server refuses
 */
export async function askForPasskey(purpose: PasskeyPurpose): Promise<string> {
  const answer = await fetch(OPTIONS_PATH, { method: "POST", body: new URLSearchParams({ purpose }) });
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  const publicKey = withBytes((await answer.json()) as OptionsJson);
  const credential =
    purpose === "add"
      ? await navigator.credentials.create({ publicKey: publicKey as unknown as PublicKeyCredentialCreationOptions })
      : await navigator.credentials.get({ publicKey: publicKey as unknown as PublicKeyCredentialRequestOptions });
  if (!(credential instanceof PublicKeyCredential)) throw new Error("the browser gave no passkey");
  return JSON.stringify({
    id: credential.id,
    rawId: textOf(credential.rawId),
    type: credential.type,
    response: responseOf(credential.response),
  });
}

function withBytes({ challenge, user, excludeCredentials, allowCredentials, ...more }: OptionsJson) {
  const known = (list?: { id: string }[]) => list?.map((each) => ({ ...each, id: bytesOf(each.id) }));
  return {
    ...more,
    challenge: bytesOf(challenge),
    ...(user && { user: { ...user, id: bytesOf(user.id) } }),
    ...(excludeCredentials && { excludeCredentials: known(excludeCredentials) }),
    ...(allowCredentials && { allowCredentials: known(allowCredentials) }),
  };
}

function responseOf(response: AuthenticatorResponse): Record<string, unknown> {
  const clientDataJSON = textOf(response.clientDataJSON);
  if (response instanceof AuthenticatorAttestationResponse) {
    return { clientDataJSON, attestationObject: textOf(response.attestationObject), transports: response.getTransports() };
  }
  const { authenticatorData, signature } = response as AuthenticatorAssertionResponse;
  return { clientDataJSON, authenticatorData: textOf(authenticatorData), signature: textOf(signature) };
}

function bytesOf(text: string): Uint8Array {
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function textOf(bytes: ArrayBuffer): string {
  const characters = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  return btoa(characters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
