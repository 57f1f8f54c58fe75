import type { CDPSession, Protocol } from "puppeteer";
import { isWebAddress } from "./web-address";

/** How the server answered a request for a document. */
export interface DocumentResponse {
  url: string;
  status: number;
  /** As the browser understands it, also where the server names none. */
  mimeType: string;
  /** By lower-case name. */
  headers: Record<string, string>;
}

/** One attempt of a frame to go somewhere; its requests share one id, redirects included. */
export interface Navigation {
  /** Of the request and of the document that it becomes (Chromium's loader id). */
  id: string;
  /** Where it has got to. */
  url: string;
  response?: DocumentResponse;
  /** Chromium's error, such as `net::ERR_NAME_NOT_RESOLVED`. */
  error?: string;
}

/** Caps in bytes after decompression. */
export interface SizeLimits {
  document: number;
  /** The page with everything it loads, except films and sound, which the browser does not keep. */
  page: number;
}

export interface NetworkWatch {
  /** Listens to one more process of the page. */
  watch(session: CDPSession): void;
  /** The latest attempt to load a document into a frame, if that took a request. */
  navigation(frameId: string): Navigation | undefined;
  /** The attempt that this document came from; undefined for one that took no request. */
  request(documentId: string): Navigation | undefined;
  /** The outermost frame shows another document: what the one before has asked for no longer counts. */
  documentChanged(): void;
  /** Is something under way that may still change the document: scripts, their requests, another document? */
  busy(): boolean;
  /** How many requests scripts of the page have begun. */
  begun(): number;
  /** How many scripts were loaded. */
  scripts(): number;
  /** Connections that stay open, by which a server may send something at any time. */
  streams(): number;
  /** The document that the outermost frame is about to load in the place of the one it shows, by its navigation's id. */
  leavingFor(documentId: string | undefined): string | undefined;
  /** Sub-resources that were refused or did not load. */
  failures(): number;
  /** What has grown beyond its cap, if anything has. */
  tooLarge(): "document" | "page" | undefined;
}

/** Where nothing comes of an answer for so long, nobody is reading it. */
const READ_WITHIN_MS = 300;

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
  const unread = new Map<string, NodeJS.Timeout>();
  const streams = new Set<string>();
  let begun = 0;
  let scripts = 0;
  let documentBytes = 0;
  let pageBytes = 0;

  function onRequest({ requestId, loaderId, frameId, type, request }: Protocol.Network.RequestWillBeSentEvent) {
    if (type === "Document" && frameId) {
      // A redirect goes on under the same id.
      const navigation = documents.get(requestId) ?? { id: requestId, url: request.url };
      navigation.url = request.url;
      documents.set(requestId, navigation);
      latest.set(frameId, navigation);
      if (frameId === mainFrameId) pending.add(requestId);
    }
    // A worker's own script belongs to no document, and its end is told to the worker alone.
    const isOfDocument = loaderId !== "";
    if (isOfDocument && (type === "Script" || type === "Fetch" || type === "XHR")) pending.add(requestId);
    if (type === "Fetch" || type === "XHR") begun += 1;
    if (type === "EventSource") streams.add(requestId);
    if (type === "Media") media.add(requestId);
    changed();
  }

  function onResponse({ requestId, type, response }: Protocol.Network.ResponseReceivedEvent) {
    const navigation = documents.get(requestId);
    if (navigation) {
      navigation.response = {
        url: response.url,
        status: response.status,
        mimeType: response.mimeType,
        headers: lowerCased(response.headers),
      };
    }
    if (response.status >= 400) failed.add(requestId);
    else if (type === "Script") scripts += 1;
    if (type === "Fetch") expectMore(requestId);
    changed();
  }

  /** Where a redirect leads that Chromium does not follow, nobody else says. */
  function onHeaders({ requestId, statusCode, headers }: Protocol.Network.ResponseReceivedExtraInfoEvent) {
    const navigation = documents.get(requestId);
    if (!navigation || statusCode < 300 || statusCode > 399) return;
    const { location = "" } = lowerCased(headers);
    if (URL.canParse(location) && !isWebAddress(location)) navigation.url = location;
  }

  function onData({ requestId, dataLength }: Protocol.Network.DataReceivedEvent) {
    if (requestId === latest.get(mainFrameId)?.id) documentBytes += dataLength;
    if (!media.has(requestId)) pageBytes += dataLength;
    if (unread.has(requestId)) expectMore(requestId);
    if (isTooLarge()) changed();
  }

  function onFailed({ requestId, errorText, canceled }: Protocol.Network.LoadingFailedEvent) {
    const navigation = documents.get(requestId);
    if (navigation) navigation.error = errorText;
    if (!canceled) failed.add(requestId);
    over(requestId);
    changed();
  }

  function onFinished({ requestId }: Protocol.Network.LoadingFinishedEvent) {
    over(requestId);
    changed();
  }

  /** An answer that no script reads, as that to a report, never ends. */
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
    tooLarge: isTooLarge,
  };
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
