import type { CDPSession, Protocol } from "puppeteer";
import { setNewest } from "~/scan/limited-map";
import { cutAddress, isWebAddress } from "./web-address";

/** Answer of a server to a request for a document. */
export interface DocumentResponse {
  url: string;
  status: number;
  /** Type detected by the browser, even if the server names none. */
  mimeType: string;
  /** Headers by lower-case name. */
  headers: Record<string, string>;
}

/** One navigation of a frame; its requests share one id, redirects included. */
interface Navigation {
  /** Id of the request and of its document (Chromium's loader id). */
  id: string;
  /** The last address so far. */
  url: string;
  response?: DocumentResponse;
  /** Chromium's error, such as `net::ERR_NAME_NOT_RESOLVED`. */
  error?: string;
}

/** Limits in bytes after decompression. */
export interface SizeLimits {
  document: number;
  /** The page with everything it loads, except video and audio, which the browser does not keep. */
  page: number;
}

export interface NetworkWatch {
  /** Listens to one more process of the page. */
  watch(session: CDPSession): void;
  /** Latest navigation of a frame; undefined if it had no request. */
  navigation(frameId: string): Navigation | undefined;
  /** The navigation of this document; undefined for one without a request. */
  request(documentId: string): Navigation | undefined;
  /** The outermost frame shows another document: requests of the previous one no longer count. */
  documentChanged(): void;
  /** Is a request open that may still change the document: scripts, their requests, another document? */
  busy(): boolean;
  /** Number of requests begun by the page's scripts. */
  begun(): number;
  /** Number of loaded scripts. */
  scripts(): number;
  /** Number of open connections through which a server may send data at any time. */
  streams(): number;
  /** The navigation id of the document that is about to replace the one in the outermost frame. */
  leavingFor(documentId: string | undefined): string | undefined;
  /** Number of sub-resources that were refused or did not load. */
  failures(): number;
  /** Addresses of failed images, as in the page. */
  failedImages(): string[];
  /** Did a style sheet not load that users may get? One that does not exist is missing for them, too. */
  hasLostStyles(): boolean;
  /** The part that exceeds its limit, if any. */
  tooLarge(): "document" | "page" | undefined;
}

/** Time without data after which an answer counts as unread. */
const READ_WITHIN_MS = 300;
/** Status of an answer about something that does not exist. */
const MISSING = new Set([404, 410]);
/** Maximum number of documents, frames and images per visit; hostile pages have any number. */
const MOST_KEPT = 10_000;

/** Follows the requests of a page by Chromium's Network domain. */
export function createNetworkWatch(
  mainFrameId: string,
  limits: SizeLimits,
  changed: () => void,
): NetworkWatch {
  const documents = new Map<string, Navigation>();
  const latest = new Map<string, Navigation>();
  const pending = new Set<string>();
  const media = new Set<string>();
  const failed = new Set<string>();
  const images = new Map<string, string>();
  const unread = new Map<string, NodeJS.Timeout>();
  const streams = new Set<string>();
  let hasLostStyles = false;
  let begun = 0;
  let scripts = 0;
  let documentBytes = 0;
  let pageBytes = 0;

  function onRequest({ requestId, loaderId, frameId, type, request }: Protocol.Network.RequestWillBeSentEvent) {
    if (type === "Document" && frameId) {
      // A redirect keeps the id.
      const navigation = documents.get(requestId) ?? { id: requestId, url: "" };
      navigation.url = cutAddress(request.url);
      setNewest(documents, requestId, navigation, MOST_KEPT);
      setNewest(latest, frameId, navigation, MOST_KEPT);
      if (frameId === mainFrameId) pending.add(requestId);
    }
    // A worker's own script belongs to no document, and only the worker receives its end event.
    const isOfDocument = loaderId !== "";
    if (isOfDocument && (type === "Script" || type === "Fetch" || type === "XHR")) pending.add(requestId);
    if (type === "Fetch" || type === "XHR") begun += 1;
    if (type === "EventSource") streams.add(requestId);
    if (type === "Media") media.add(requestId);
    // After a redirect, the first address remains.
    if (type === "Image" && isWebAddress(request.url) && !images.has(requestId)) setNewest(images, requestId, cutAddress(request.url), MOST_KEPT);
    changed();
  }

  function onResponse({ requestId, type, response }: Protocol.Network.ResponseReceivedEvent) {
    const navigation = documents.get(requestId);
    if (navigation) {
      navigation.response = {
        url: cutAddress(response.url),
        status: response.status,
        mimeType: response.mimeType,
        headers: lowerCased(response.headers),
      };
    }
    if (response.status >= 400) failed.add(requestId);
    else if (type === "Script") scripts += 1;
    // The egress answers for a server that it does not reach.
    if (type === "Stylesheet" && response.status >= 400 && !MISSING.has(response.status)) hasLostStyles = true;
    if (type === "Fetch") expectMore(requestId);
    changed();
  }

  /** The only source for the target of a redirect that Chromium does not follow. */
  function onHeaders({ requestId, statusCode, headers }: Protocol.Network.ResponseReceivedExtraInfoEvent) {
    const navigation = documents.get(requestId);
    if (!navigation || statusCode < 300 || statusCode > 399) return;
    const { location = "" } = lowerCased(headers);
    if (URL.canParse(location) && !isWebAddress(location)) navigation.url = cutAddress(location);
  }

  function onData({ requestId, dataLength }: Protocol.Network.DataReceivedEvent) {
    if (requestId === latest.get(mainFrameId)?.id) documentBytes += dataLength;
    if (!media.has(requestId)) pageBytes += dataLength;
    if (unread.has(requestId)) expectMore(requestId);
    if (isTooLarge()) changed();
  }

  function onFailed({ requestId, errorText, canceled, type }: Protocol.Network.LoadingFailedEvent) {
    const navigation = documents.get(requestId);
    if (navigation) navigation.error = errorText;
    if (!canceled) failed.add(requestId);
    if (!canceled && type === "Stylesheet") hasLostStyles = true;
    over(requestId);
    changed();
  }

  function onFinished({ requestId }: Protocol.Network.LoadingFinishedEvent) {
    over(requestId);
    changed();
  }

  /** An answer that no script reads, such as a report's, never gets an end event. */
  function expectMore(requestId: string) {
    clearTimeout(unread.get(requestId));
    const giveUp = () => {
      over(requestId);
      changed();
    };
    unread.set(requestId, setTimeout(giveUp, READ_WITHIN_MS).unref());
  }

  function over(requestId: string) {
    clearTimeout(unread.get(requestId));
    unread.delete(requestId);
    pending.delete(requestId);
    streams.delete(requestId);
  }

  function isTooLarge() {
    if (documentBytes > limits.document) return "document";
    return pageBytes > limits.page ? "page" : undefined;
  }

  return {
    watch(session) {
      session.on("Network.requestWillBeSent", onRequest);
      session.on("Network.responseReceived", onResponse);
      session.on("Network.responseReceivedExtraInfo", onHeaders);
      session.on("Network.dataReceived", onData);
      session.on("Network.loadingFailed", onFailed);
      session.on("Network.loadingFinished", onFinished);
      session.on("Network.webSocketCreated", ({ requestId }) => streams.add(requestId));
      session.on("Network.webSocketClosed", ({ requestId }) => streams.delete(requestId));
    },
    navigation: (frameId) => latest.get(frameId),
    request: (documentId) => documents.get(documentId),
    documentChanged() {
      pending.clear();
      streams.clear();
      failed.clear();
      images.clear();
      hasLostStyles = false;
      documentBytes = 0;
    },
    busy: () => pending.size > 0,
    begun: () => begun,
    scripts: () => scripts,
    streams: () => streams.size,
    leavingFor(documentId) {
      const id = latest.get(mainFrameId)?.id;
      return id !== undefined && id !== documentId && pending.has(id) ? id : undefined;
    },
    failures: () => failed.size,
    failedImages: () => [...failed].flatMap((id) => images.get(id) ?? []),
    hasLostStyles: () => hasLostStyles,
    tooLarge: isTooLarge,
  };
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
