/** Code by name that sends data from a page to the address `to` or below `/out/`, with one browser feature each. */
export type Ways = Record<string, string>;

/** Ports that count connections and datagrams. */
export interface Ports {
  /** TCP port. */
  preconnected: number;
  turn: number;
  /** UDP port. */
  stun: number;
  quic: number;
}

const element = (name: string, properties: string) => `hold.append(Object.assign(document.createElement("${name}"), { ${properties} }))`;
const style = (rule: string) => `hold.append(Object.assign(document.createElement("style"), { textContent: ${rule} }))`;
const worker = (code: string) => `URL.createObjectURL(new Blob([${code}], { type: "text/javascript" }))`;

/** Requests that are possible when a page is left. */
export const LEAVING: Ways = {
  fetch: `fetch(to)`,
  keepalive: `fetch(to, { method: "POST", body: "x", keepalive: true })`,
  beacon: `navigator.sendBeacon(to, "x")`,
  later: `fetchLater(to, { activateAfter: 0 })`,
};

/** Requests of scripts. */
export const SCRIPTED: Ways = {
  ...LEAVING,
  "no-cors": `fetch("http://localhost:" + location.port + to, { mode: "no-cors", method: "POST", body: "x" })`,
  xhr: `const xhr = new XMLHttpRequest(); xhr.open("POST", to); xhr.send("x")`,
  "xhr-in-step": `const xhr = new XMLHttpRequest(); xhr.open("GET", to, false); xhr.send()`,
  events: `new EventSource(to)`,
  socket: `new WebSocket("ws://" + location.host + to)`,
  import: `import(to)`,
  wasm: `WebAssembly.compileStreaming(fetch(to))`,
  font: `new FontFace("out", "url(" + to + ")").load()`,
  caches: `caches.open("x").then((cache) => cache.add(to))`,
  violation: `document.head.append(Object.assign(document.createElement("base"), { href: "/base" }))`,
  window: `open(to)`,
  "no-opener": `open(to, "_blank", "noopener")`,
  "inner-window": `frames.inner.fetch(to)`,
  print: `fetch(to); print()`,
};

/** Requests by elements and styles. */
export const MARKED: Ways = {
  image: `new Image().src = to`,
  srcset: `new Image().srcset = to + " 2x"`,
  video: element("video", `src: to, preload: "auto"`),
  poster: element("video", `poster: to`),
  track: element("video", `innerHTML: "<source src=" + to + "><track default kind=captions src=" + to + ">"`),
  svg: element("div", `innerHTML: "<svg><image href=" + to + " /><use href=" + to + "#x /></svg>"`),
  "input-image": element("input", `type: "image", alt: "x", src: to`),
  script: element("script", `src: to`),
  module: element("script", `type: "module", src: to`),
  frame: element("iframe", `title: "x", src: to`),
  object: element("object", `data: to`),
  embed: element("embed", `src: to`),
  style: element("link", `rel: "stylesheet", href: to`),
  preload: `document.head.append(Object.assign(document.createElement("link"), { rel: "preload", as: "fetch", crossOrigin: "", href: to }))`,
  modulepreload: `document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: to }))`,
  prefetch: `document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", href: to }))`,
  rules: style(`"@import '" + to + "'"`),
  background: `hold.style.backgroundImage = "url(" + to + ")"; hold.getBoundingClientRect()`,
  "named-font": style(`"@font-face { font-family: '" + to + "'; src: url(" + to + ") }"`) + `; ${element("p", `textContent: "x", style: "font-family: '" + to + "'"`)}`,
  cursor: `document.body.style.cursor = "url(" + to + "), auto"`,
  ping: `const a = document.createElement("a"); a.href = "#"; a.ping = to; hold.append(a); a.click()`,
  written: `hold.insertAdjacentHTML("beforeend", "<img alt='' src=" + to + ">")`,
};

/** Requests by workers, sockets and frames, including those opened before the interaction. */
export const besides = (ports?: Ports): Ways => ({
  worker: `new Worker(to)`,
  "worker-blob": `new Worker(${worker(`"fetch('" + location.origin + to + "')"`)})`,
  "shared-worker": `new SharedWorker(to)`,
  "service-worker": `navigator.serviceWorker.register(to)`,
  "open-worker": `before.worker.postMessage(to)`,
  "open-shared-worker": `before.shared.port.postMessage(to)`,
  "open-service-worker": `before.service.active.postMessage(to)`,
  "open-socket": `before.socket.send(to)`,
  "open-frame": `frames.inner.postMessage(to, "*")`,
  "open-frame-of-another-site": `frames.far.postMessage(to, "*")`,
  preconnect: `document.head.append(Object.assign(document.createElement("link"), { rel: "preconnect", href: "http://127.0.0.1:${ports?.preconnected}" }))`,
  stun: `const c = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${ports?.stun}" }] }); c.createDataChannel("x"); c.createOffer().then((offer) => c.setLocalDescription(offer))`,
  turn: `const c = new RTCPeerConnection({ iceServers: [{ urls: "turn:127.0.0.1:${ports?.turn}?transport=tcp", username: "a", credential: "b" }] }); c.createDataChannel("x"); c.createOffer().then((offer) => c.setLocalDescription(offer))`,
  quic: `new WebTransport("https://127.0.0.1:${ports?.quic}" + to).ready.catch(() => {})`,
});

/** Requests that may navigate away from the page. */
export const AWAY: Ways = {
  form: `form.method = "post"; form.action = to; form.submit()`,
  "form-in-a-frame": `form.target = "inner"; form.action = to; form.submit()`,
  "form-in-a-window": `form.target = "_blank"; form.action = to; form.submit()`,
  link: `const a = document.createElement("a"); a.href = to; hold.append(a); a.click()`,
  download: `const a = document.createElement("a"); a.href = to; a.download = ""; hold.append(a); a.click()`,
  location: `location = to`,
  replace: `location.replace(to)`,
  reload: `history.replaceState({}, "", to); location.reload()`,
  navigate: `navigation.navigate(to)`,
  same: `open(to, "_self")`,
  top: `frames.inner.eval("top.location = " + JSON.stringify(location.origin + to))`,
  refresh: `document.head.insertAdjacentHTML("beforeend", "<meta http-equiv=refresh content='0; url=" + to + "'>")`,
  speculation: `document.head.append(Object.assign(document.createElement("script"), { type: "speculationrules", textContent: JSON.stringify({ prefetch: [{ source: "list", urls: [to], eagerness: "immediate" }] }) }))`,
};
