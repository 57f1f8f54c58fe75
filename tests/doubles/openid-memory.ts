import type { Adapter, AdapterPayload } from "oidc-provider";

/** Storage of an OpenID provider; the library's own storage cannot be cleared. */
export function createMemoryAdapter(): { adapter: new (model: string) => Adapter; clear(): void } {
  const stored = new Map<string, { payload: AdapterPayload; until: number }>();

  function read(key: string): AdapterPayload | undefined {
    const found = stored.get(key);
    return found && found.until > Date.now() ? found.payload : undefined;
  }

  class MemoryAdapter implements Adapter {
    constructor(private readonly model: string) {}

    upsert(id: string, payload: AdapterPayload, seconds = 86_400) {
      stored.set(this.#key(id), { payload, until: Date.now() + seconds * 1_000 });
      return Promise.resolve();
    }

    find = (id: string) => Promise.resolve(read(this.#key(id)));
    findByUid = (uid: string) => Promise.resolve(this.#all().find((payload) => payload.uid === uid));
    findByUserCode = (code: string) => Promise.resolve(this.#all().find((payload) => payload.userCode === code));

    consume(id: string) {
      const payload = read(this.#key(id));
      if (payload) payload.consumed = Math.floor(Date.now() / 1_000);
      return Promise.resolve();
    }

    destroy(id: string) {
      stored.delete(this.#key(id));
      return Promise.resolve();
    }

    revokeByGrantId(grantId: string) {
      for (const [key, { payload }] of stored) if (payload.grantId === grantId) stored.delete(key);
      return Promise.resolve();
    }

    #key(id: string): string {
      return `${this.model} ${id}`;
    }

    #all(): AdapterPayload[] {
      const keys = [...stored.keys()].filter((key) => key.startsWith(`${this.model} `));
      return keys.map(read).filter((payload) => payload !== undefined);
    }
  }

  return { adapter: MemoryAdapter, clear: () => stored.clear() };
}
