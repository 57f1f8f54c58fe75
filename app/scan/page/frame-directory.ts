import type { CDPSession } from "puppeteer";
import type { Egress } from "~/scan/network/egress";
import { egressTrace } from "~/scan/network/egress-trace";
import type { Tab } from "./tab";

/** What an analysis needs to know of the frames inside a page. */
export interface FrameDirectory {
  hasInnerFrames(): boolean;
  /** The address of an inner frame, "" when unknown; `shown` is false where there is no document of a site in it. */
  innerFrame(frameId: string): { url: string; shown: boolean };
  /** Where a frame is driven from, if that is not where its parent is. */
  sessionOf(frameId: string): CDPSession | undefined;
}

/** In characters; a `data:` address holds a whole document. */
export const LONGEST_ADDRESS = 2_048;

/** A frame that was refused shows the answer of the egress filter, which is no part of the page. */
export function frameDirectory(tab: Tab, egress: Egress): FrameDirectory {
  return {
    hasInnerFrames: () => tab.hasInnerFrames(),
    sessionOf: (frameId) => tab.sessionOf(frameId),
    innerFrame(frameId) {
      const { url, shown } = tab.innerFrame(frameId);
      const response = tab.network.navigation(frameId)?.response;
      const refused =
        response !== undefined &&
        response.status >= 400 &&
        egressTrace(egress, response.url).outcome !== undefined;
      return { url: url.slice(0, LONGEST_ADDRESS), shown: shown && !refused };
    },
  };
}
