interface Covering {
  urls: readonly { origin: string; covered: boolean }[];
}

interface Limited {
  urlLimit: number | null;
  urls: readonly unknown[];
}

/** Whether a purchase covers the website of a URL. */
export function coversOrigin({ urls }: Covering, url: string): boolean {
  const { origin } = new URL(url);
  return urls.some((each) => each.covered && each.origin === origin);
}

/** Number of websites that may still be registered; infinite if there is no limit. */
export const roomOf = ({ urlLimit, urls }: Limited): number => Math.max(0, (urlLimit ?? Infinity) - urls.length);
