import type { CDPSession, Protocol } from "puppeteer";

/** How the server answered a request for a document. */
export interface DocumentResponse {
  url: string;
  status: number;
  /** As the browser understands it, also where the server names none. */
  mimeType: string;
  /** By lower-case name. */
  headers: Record<string, string>;
}

/** One attempt of the outermost frame to go somewhere; its requests share one id, redirects included. */
export interface Navigation {
  /** Id of the request and of the document that it becomes. */
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
  /** The latest attempt to load a document into the outermost frame. */
  navigation(): Navigation | undefined;
  /** Is something under way that may still change the document: scripts, their requests, another document? */
  busy(): boolean;
  /** Sub-resources that were refused or did not load. */
  failures(): number;
  /** What has grown beyond its cap, if anything has. */
  tooLarge(): "document" | "page" | undefined;
}

/** Follows the requests of a page by Chromium's Network domain. */
export function createNetworkWatch(mainFrameId: string, limits: SizeLimits, changed: () => void): NetworkWatch {
  const documents = new Map<string, Navigation>();
  const pending = new Set<string>();
  const media = new Set<string>();
  const failed = new Set<string>();
  let latest: Navigation | undefined;
  let documentBytes = 0;
  let pageBytes = 0;

  function onRequest({ requestId, frameId, type, request }: Protocol.Network.RequestWillBeSentEvent) {
    if (type === "Document" && frameId === mainFrameId) {
      // A redirect goes on under the same id.
      latest = documents.get(requestId) ?? { id: requestId, url: request.url };
      latest.url = request.url;
      documents.set(requestId, latest);
      documentBytes = 0;
      pending.add(requestId);
    }
    if (type === "Script" || type === "Fetch" || type === "XHR") pending.add(requestId);
    if (type === "Media") media.add(requestId);
    changed();
  }

  function onResponse({ requestId, response }: Protocol.Network.ResponseReceivedEvent) {
    const navigation = documents.get(requestId);
    if (navigation) {
      navigation.response = {
        url: response.url,
        status: response.status,
        mimeType: response.mimeType,
        headers: lowerCased(response.headers),
      };
    } else if (response.status >= 400) {
      failed.add(requestId);
    }
    changed();
  }

  function onData({ requestId, dataLength }: Protocol.Network.DataReceivedEvent) {
    if (requestId === latest?.id) documentBytes += dataLength;
    if (!media.has(requestId)) pageBytes += dataLength;
    if (isTooLarge()) changed();
  }

  function onFailed({ requestId, errorText, canceled }: Protocol.Network.LoadingFailedEvent) {
    const navigation = documents.get(requestId);
    if (navigation) navigation.error = errorText;
    else if (!canceled) failed.add(requestId);
    pending.delete(requestId);
    changed();
  }

  function onFinished({ requestId }: Protocol.Network.LoadingFinishedEvent) {
    pending.delete(requestId);
    changed();
  }

  function isTooLarge() {
    if (documentBytes > limits.document) return "document";
    return pageBytes > limits.page ? "page" : undefined;
  }

  return {
    watch(session) {
      session.on("Network.requestWillBeSent", onRequest);
      session.on("Network.responseReceived", onResponse);
      session.on("Network.dataReceived", onData);
      session.on("Network.loadingFailed", onFailed);
      session.on("Network.loadingFinished", onFinished);
    },
    navigation: () => latest,
    busy: () => pending.size > 0,
    failures: () => failed.size,
    tooLarge: isTooLarge,
  };
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
