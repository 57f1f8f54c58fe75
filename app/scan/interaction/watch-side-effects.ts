import type { CDPSession } from "puppeteer";
import type { CutConnection } from "./cut-connection";
import type { SideEffects } from "./form-log";

interface SideEffectWatch {
  /** Forgets all side effects so far. */
  begin(): void;
  seen(): SideEffects;
  end(): void;
}

/** Watches for side effects of a page while its forms are submitted: requests, windows, dialogs. */
export function watchSideEffects(session: CDPSession, connection: CutConnection): SideEffectWatch {
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
