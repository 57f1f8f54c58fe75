import type { CDPSession } from "puppeteer";
import type { Egress } from "~/scan/network/egress";
import type { Tab } from "~/scan/page/tab";

/** The connection of a visit that has been cut, so that its page can be used and sends nothing. */
export interface CutConnection {
  /** Number of failed requests of the page since the cut. */
  requests(): number;
  /** Address that the page tried to go to since the last call, also in another window; undefined for none. */
  takeLeaving(): string | undefined;
}

/**
 * Cuts a page off from the network for the rest of its visit: the egress filter refuses every connection, and the browser answers
 * requests as it does offline. A navigation is cancelled, so that the page stays.
 */
export async function cutConnection(tab: Tab, egress: Egress): Promise<CutConnection> {
  let refused = 0;
  let leaving: string | undefined;
  egress.cut();
  // The first one tells of a form that is about to be sent. Both come at once, so that the key that caused them is known.
  for (const event of ["Page.frameScheduledNavigation", "Page.frameRequestedNavigation"] as const) {
    tab.session.on(event, ({ frameId, url }) => {
      if (frameId === tab.mainFrameId && !isSameDocument(url)) leaving ??= url;
    });
  }
  tab.session.on("Page.windowOpen", ({ url }) => (leaving ??= url));
  await Promise.all(tab.sessions().map(answerOffline));

  async function answerOffline(session: CDPSession): Promise<void> {
    // Those for access data (`access.ts`) would let the request go on.
    session.removeAllListeners("Fetch.requestPaused");
    session.on("Fetch.requestPaused", ({ requestId, resourceType }) => {
      refused += 1;
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
    takeLeaving() {
      const address = leaving;
      leaving = undefined;
      return address;
    },
  };
}
