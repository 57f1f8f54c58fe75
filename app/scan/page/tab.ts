import type { BrowserContext, CDPSession, Protocol, Target } from "puppeteer";
import type { BrowserLease } from "~/scan/browser/browser-pool";
import { unlessAborted, within } from "~/platform/async/deadline";
import { contextOptions, type Egress } from "~/scan/network/egress";
import { createNetworkWatch, type NetworkWatch, type SizeLimits } from "~/scan/network/network-watch";
import { cutAddress } from "~/scan/network/web-address";
import { trackPendingNavigation } from "./stop-scripts";

/** The outermost frame's document. */
export interface MainDocument {
  /** Id of its navigation (Chromium's loader id). */
  readonly id: string;
  url: string;
  /** False if the browser shows an error instead. */
  readonly shown: boolean;
  /** All its markup has been read. */
  parsed: boolean;
  /** The document's `load` event has fired. */
  loaded: boolean;
  /** Loading has stopped, although `load` may never have fired (for example after a download). */
  stopped: boolean;
}

/** The page's process has crashed, alone or together with the browser. */
export class PageCrashed extends Error {
  override name = "PageCrashed";
}

/** The whole browser has crashed, which is rarely this page's fault. */
export class BrowserDied extends PageCrashed {
  override message = "the browser died";
}

/** The page's process was ended because of its memory. */
export class PageOvergrown extends Error {
  override name = "PageOvergrown";
  override message = "the page took too much memory";
}

/** One page in its own browser context, without cookies or other pages. */
export interface Tab {
  readonly session: CDPSession;
  readonly mainFrameId: string;
  readonly network: NetworkWatch;
  /** Aborted with `PageCrashed` or `PageOvergrown` when the page's process, or the whole browser, has crashed. */
  readonly crashed: AbortSignal;
  /** Starts to load an address; `document` and `network` show the outcome. */
  navigate(url: string): void;
  /** The shown document, once there is one. */
  document(): MainDocument | undefined;
  /** True after closing; then `until` resolves at once. */
  isClosed(): boolean;
  hasInnerFrames(): boolean;
  /** The address of an inner frame, "" when unknown; `shown` is false if the browser shows an error instead. */
  innerFrame(frameId: string): { url: string; shown: boolean };
  /** The session of a frame: frames of other sites may have their own process. */
  sessionOf(frameId: string): CDPSession | undefined;
  /** Sessions, one per process of the page; the outermost frame's comes first. */
  sessions(): CDPSession[];
  /** Number of documents with an address of their own that inner frames have loaded. */
  innerDocuments(): number;
  /**
   * Waits until the condition holds (checked after every event of the page); false when `ms` pass, or the tab is closed,
   * before that.
   */
  until(condition: () => boolean, ms: number): Promise<boolean>;
  /** Closes the page with everything that belongs to it, whatever its state. */
  close(): Promise<void>;
}

/** The window's size, in CSS pixels. */
export const VIEWPORT = { width: 1280, height: 800 };

const CLOSE_WITHIN_MS = 3_000;

/** A tab's part of the lease. */
type TabLease = Pick<BrowserLease, "browser" | "root" | "condemn" | "overgrown">;

/** Opens an empty page that reaches the network only through `egress`. */
export async function openTab(lease: TabLease, egress: Egress, limits: SizeLimits): Promise<Tab> {
  const context = await lease.browser.createBrowserContext({
    ...contextOptions(egress),
    downloadBehavior: { policy: "deny" },
  });
  try {
    // No Puppeteer page: that would process every event of the page a second time.
    const [{ targetId }, target] = await Promise.all([
      lease.root.send("Target.createTarget", { url: "about:blank", browserContextId: context.id }),
      context.waitForTarget((each) => each.type() === "page"),
      // No permission is granted, so every permission request of a page is denied.
      lease.root.send("Browser.grantPermissions", { permissions: [], browserContextId: context.id }),
    ]);
    closeOthers(context, target);
    return await prepareTab(lease, context, await target.createCDPSession(), targetId, limits);
  } catch (error) {
    await closeContext(lease, context);
    throw error;
  }
}

/** Closes other windows: a full browser opens them when a page asks; the headless shell opens none (see `browser-launch.ts`). */
function closeOthers(context: BrowserContext, own: Target) {
  context.on("targetcreated", (target) => {
    if (target === own || target.type() !== "page") return;
    target
      .page()
      .then((page) => page?.close())
      .catch(() => {});
  });
}

async function prepareTab(
  lease: TabLease,
  context: BrowserContext,
  session: CDPSession,
  mainFrameId: string,
  limits: SizeLimits,
): Promise<Tab> {
  const waiting = new Set<() => void>();
  let closed = false;
  const changed = () => waiting.forEach((check) => check());
  const network = createNetworkWatch(mainFrameId, limits, changed);
  const frames = new Map<string, { url: string; shown: boolean }>();
  const sessions = new Map<string, CDPSession>([[mainFrameId, session]]);
  let current: MainDocument | undefined;
  let innerDocuments = 0;

  const crash = new AbortController();
  const onBrowserDeath = () => crash.abort(new BrowserDied());
  session.on("Inspector.targetCrashed", () =>
    crash.abort(lease.overgrown() ? new PageOvergrown() : new PageCrashed("the page's process died")),
  );
  lease.browser.once("disconnected", onBrowserDeath);

  session.on("Page.lifecycleEvent", ({ frameId, loaderId, name }) => {
    if (frameId !== mainFrameId || loaderId !== current?.id) return;
    if (name === "DOMContentLoaded") current.parsed = true;
    if (name === "load") current.loaded = true;
    changed();
  });
  session.on("Page.frameStartedLoading", ({ frameId }) => {
    if (frameId === mainFrameId && current) current.stopped = false;
  });
  session.on("Page.frameStoppedLoading", ({ frameId }) => {
    if (frameId !== mainFrameId || !current) return;
    current.stopped = true;
    changed();
  });
  session.on("Page.javascriptDialogOpening", ({ type }) => {
    session.send("Page.handleJavaScriptDialog", { accept: type === "beforeunload" }).catch(() => {});
  });
  trackPendingNavigation(session, () => network.leavingFor(current?.id));
  follow(session);
  const prepared = Promise.all([
    // Reports a crash, even one before we listened.
    session.send("Inspector.enable"),
    enable(session),
    session.send("Emulation.setDeviceMetricsOverride", { ...VIEWPORT, deviceScaleFactor: 1, mobile: false }),
  ]);
  // A dead process answers nothing, not even with an error.
  await unlessAborted([crash.signal], prepared);

  /** Listens to one process of the page; inner frames of other sites may have their own, and so may their frames. */
  function follow(part: CDPSession) {
    network.watch(part);
    part.on("Page.frameAttached", ({ frameId }) => frames.set(frameId, { url: "", shown: true }));
    part.on("Page.frameDetached", ({ frameId, reason }) => {
      if (reason === "remove") frames.delete(frameId);
    });
    part.on("Page.frameNavigated", ({ frame }) => {
      if (frame.id === mainFrameId) {
        frames.clear();
        network.documentChanged();
        current = startedDocument(frame);
      } else {
        frames.set(frame.id, { url: cutAddress(frame.unreachableUrl ?? frame.url), shown: !frame.unreachableUrl });
        if (!frame.url.startsWith("about:blank")) innerDocuments += 1;
      }
      changed();
    });
    part.on("Page.navigatedWithinDocument", ({ frameId, url }) => {
      if (frameId === mainFrameId && current) current.url = cutAddress(url);
    });
    part.on("Target.attachedToTarget", ({ sessionId, targetInfo }) => {
      const child = part.connection()?.session(sessionId);
      if (!child) return;
      sessions.set(targetInfo.targetId, child);
      follow(child);
      // The process may have ended already.
      enable(child).catch(() => {});
    });
    part.on("Target.detachedFromTarget", ({ targetId }) => {
      if (targetId) sessions.delete(targetId);
    });
  }

  return {
    session,
    mainFrameId,
    network,
    crashed: crash.signal,
    navigate(url) {
      // Events report the outcome as well.
      session.send("Page.navigate", { url }).catch(() => {});
    },
    isClosed: () => closed,
    document: () => current,
    hasInnerFrames: () => frames.size > 0,
    innerFrame(frameId) {
      const frame = frames.get(frameId);
      const navigation = network.navigation(frameId);
      // The first document of a newly attached process has no event of its own.
      const url = frame?.url || navigation?.url || "";
      return { url, shown: frame !== undefined && frame.shown && !navigation?.error };
    },
    sessionOf: (frameId) => sessions.get(frameId),
    sessions: () => [...sessions.values()],
    innerDocuments: () => innerDocuments,
    until: (condition, ms) =>
      new Promise((resolve) => {
        const finish = (held: boolean) => {
          clearTimeout(timer);
          waiting.delete(check);
          resolve(held);
        };
        const check = () => {
          if (closed) finish(false);
          else if (condition()) finish(true);
        };
        const timer = setTimeout(() => finish(false), ms);
        waiting.add(check);
        check();
      }),
    close() {
      lease.browser.off("disconnected", onBrowserDeath);
      closed = true;
      changed();
      return closeContext(lease, context);
    },
  };
}

function startedDocument({
  loaderId,
  url,
  urlFragment = "",
  unreachableUrl,
}: Protocol.Page.Frame): MainDocument {
  const progress = { parsed: false, loaded: false, stopped: false };
  return { id: loaderId, url: cutAddress(url + urlFragment), shown: unreachableUrl === undefined, ...progress };
}

async function enable(session: CDPSession) {
  await Promise.all([
    session.send("Page.enable"),
    session.send("Page.setLifecycleEventsEnabled", { enabled: true }),
    // Answer bodies are never requested, so the browser need not keep them.
    session.send("Network.enable", { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
    session.send("Target.setAutoAttach", {
      autoAttach: true,
      waitForDebuggerOnStart: false,
      flatten: true,
      filter: [{ type: "iframe" }],
    }),
  ]);
}

async function closeContext(lease: TabLease, context: BrowserContext) {
  try {
    await within(CLOSE_WITHIN_MS, context.close());
  } catch {
    // A browser that cannot close a context is killed with its pages.
    lease.condemn();
  }
}
