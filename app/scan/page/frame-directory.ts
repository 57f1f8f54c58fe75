import type { CDPSession } from "puppeteer";
import type { Egress } from "~/scan/network/egress";
import { egressTrace } from "~/scan/network/egress-trace";
import type { Tab } from "./tab";

/** Facts that an analysis needs about a page's inner frames. */
export interface FrameDirectory {
  hasInnerFrames(): boolean;
  /** The address of an inner frame, "" when unknown; `shown` is false if it holds no document of a site. */
  innerFrame(frameId: string): { url: string; shown: boolean };
  /** The session of a frame, if it differs from its parent's. */
  sessionOf(frameId: string): CDPSession | undefined;
}

/** Maximum length in characters; a `data:` address contains a whole document. */
export const LONGEST_ADDRESS = 2_048;

/** A refused frame shows the egress filter's answer, which is not part of the page. */
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
