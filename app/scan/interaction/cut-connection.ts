import type { CDPSession } from "puppeteer";
import type { Egress } from "~/scan/network/egress";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { Tab } from "~/scan/page/tab";

/** The cut connection of a visit: its page can be used, and sends nothing. */
export interface CutConnection {
  /** Number of failed requests of the page since the cut. */
  requests(): number;
  /** Number of those whose answer a script may miss: all except navigations. */
  missed(): number;
  /** Address that the page tried to open since the last call, also in another window; undefined for none. */
  takeLeaving(): string | undefined;
}

/**
 * Cuts a page off from the network for the rest of its visit: the egress filter refuses every connection, and the browser answers
 * requests as it does offline. Navigations are cancelled, so that the page stays; also navigations without a request: to `about:blank`, to
 * a blob, or back. A `javascript:` address can still write another document, and a page without an origin of its own can still leave.
 * @param world isolated world of the analysis
 */
export async function cutConnection(tab: Tab, egress: Egress, world: IsolatedWorld): Promise<CutConnection> {
  let [refused, navigations] = [0, 0];
  let leaving: string | undefined;
  // The first event announces a form that is about to be sent. Both events come at once, so that the key that caused them is known.
  for (const event of ["Page.frameScheduledNavigation", "Page.frameRequestedNavigation"] as const) {
    tab.session.on(event, ({ frameId, url }) => {
      if (frameId === tab.mainFrameId && !isSameDocument(url)) leaving ??= url;
    });
  }
  tab.session.on("Page.windowOpen", ({ url }) => (leaving ??= url));
  await Promise.all(tab.sessions().map(answerOffline));
  // A navigation in progress would end in the browser's error page.
  await tab.session.send("Page.stopLoading");
  egress.cut();
  await world.call(stayHere);
  // Without an earlier page, `history.back()` does nothing. A page that never stops loading may refuse this; then it may leave.
  await tab.session.send("Page.resetNavigationHistory").catch(() => {});

  async function answerOffline(session: CDPSession): Promise<void> {
    // Listeners of `access.ts`, for credentials, would continue the request.
    session.removeAllListeners("Fetch.requestPaused");
    session.on("Fetch.requestPaused", ({ requestId, resourceType }) => {
      refused += 1;
      if (resourceType === "Document") navigations += 1;
      // A document whose request is aborted does not replace the shown one.
      const errorReason = resourceType === "Document" ? "Aborted" : "InternetDisconnected";
      session.send("Fetch.failRequest", { requestId, errorReason }).catch(() => {});
    });
    await session.send("Fetch.enable", { patterns: [{ urlPattern: "*" }] });
  }

  function isSameDocument(url: string): boolean {
    const withoutFragment = (address = "") => address.split("#", 1)[0];
    return withoutFragment(url) === withoutFragment(tab.document()?.url) && url.includes("#");
  }

  return {
    requests: () => refused + egress.refusedSinceCut(),
    missed: () => refused - navigations + egress.refusedSinceCut(),
    takeLeaving() {
      const address = leaving;
      leaving = undefined;
      return address;
    },
  };
}

/** Runs inside the page, in an isolated world; it is sent as source text. */
function stayHere(): void {
  const navigation = (globalThis as { navigation?: EventTarget }).navigation;
  navigation?.addEventListener("navigate", (event) => {
    const { url, sameDocument } = (event as Event & { destination: { url: string; sameDocument: boolean } }).destination;
    // Navigations with a request are recognized by the request.
    if (!sameDocument && !/^https?:/.test(url)) event.preventDefault();
  });
}
