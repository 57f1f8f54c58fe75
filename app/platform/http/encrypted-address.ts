const THIS_MACHINE = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** True for an https address, or an http address on this machine. */
export function isEncrypted(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || (protocol === "http:" && THIS_MACHINE.test(hostname));
}
