/** An answer, read completely. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** Target of the redirect, as a path on our own origin; null without a redirect. */
  location: string | null;
}

/** A browser without scripts and display: only requests, forms and cookies. */
export interface FormBrowser {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Follows redirects on our own origin. */
  open(path: string): Promise<Answer & { path: string }>;
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Answer>;
}

/** @param headers sent with every request, such as `X-Forwarded-For` */
export function openFormBrowser(origin: string, headers: Record<string, string> = {}): FormBrowser {
  const cookies = new Map<string, string>();

  async function send(path: string, init: RequestInit): Promise<Answer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(new URL(path, origin), {
      redirect: "manual",
      ...init,
      headers: { ...headers, ...(cookie ? { Cookie: cookie } : {}), ...(init.headers as Record<string, string>) },
    });
    for (const line of answer.headers.getSetCookie()) keep(line);
    const location = answer.headers.get("location");
    return { status: answer.status, headers: answer.headers, text: await answer.text(), location };
  }

  function keep(line: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/;\s*max-age=0\b/i.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }

  const get = (path: string, more: Record<string, string> = {}) => send(path, { headers: more });
  return {
    cookies,
    get,
    post: (path, fields, more = {}) => send(path, { method: "POST", body: new URLSearchParams(fields), headers: more }),
    async open(path) {
      for (let redirects = 0; redirects < 10; redirects += 1) {
        const answer = await get(path);
        if (answer.location === null) return { ...answer, path };
        path = answer.location;
      }
      throw new Error(`${path} leads on and on`);
    },
  };
}
