import type { CDPSession } from "puppeteer";
import type { CutConnection } from "./cut-connection";
import type { Outside } from "./form-log";

interface OutsideWatch {
  /** What has happened so far does not count. */
  begin(): void;
  seen(): Outside;
  end(): void;
}

/** Watches what a page does outside of its own document, while its forms are submitted. */
export function watchOutside(session: CDPSession, connection: CutConnection): OutsideWatch {
  let [windows, dialogs, requests, hasLeft] = [0, 0, 0, false];
  const onWindow = () => (windows += 1);
  const onDialog = () => (dialogs += 1);
  session.on("Page.windowOpen", onWindow);
  session.on("Page.javascriptDialogOpening", onDialog);
  return {
    begin() {
      connection.takeLeaving();
      [windows, dialogs, requests, hasLeft] = [0, 0, connection.requests(), false];
    },
    seen() {
      hasLeft ||= connection.takeLeaving() !== undefined;
      return { hasSent: hasLeft || windows > 0 || connection.requests() > requests, hasDialog: dialogs > 0 };
    },
    end() {
      session.off("Page.windowOpen", onWindow);
      session.off("Page.javascriptDialogOpening", onDialog);
    },
  };
}
