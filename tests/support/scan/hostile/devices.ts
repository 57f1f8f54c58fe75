import { expect } from "vitest";
import { pageWith } from "../site";
import { checked, script, scripted, type HostilePages } from "./kinds";

const all = (calls: string[]) =>
  scripted(
    `onload = () => { for (const call of [${calls
      .map((call) => `() => ${call}`)
      .join(",")}]) { try { Promise.resolve(call()).catch(() => {}) } catch {} } }`,
    { gaps: {} }
  );

/** Calls that need a permission, or a choice. */
export const QUESTIONS = [
  "Notification.requestPermission()",
  "navigator.geolocation.watchPosition(() => {})",
  "navigator.mediaDevices.getUserMedia({ video: true, audio: true })",
  "navigator.mediaDevices.getDisplayMedia()",
  "navigator.usb.requestDevice({ filters: [] })",
  "navigator.hid.requestDevice({ filters: [] })",
  "navigator.serial.requestPort()",
  "navigator.bluetooth.requestDevice({ acceptAllDevices: true })",
  "navigator.credentials.get({ publicKey: { challenge: new Uint8Array(16) } })",
  "navigator.storage.persist()",
  "navigator.clipboard.read()",
  "showOpenFilePicker()",
  "document.documentElement.requestFullscreen()",
  "document.body.requestPointerLock()",
  "navigator.wakeLock.request()",
  "new PaymentRequest([{ supportedMethods: 'https://pay.example' }], { total: { label: 'x', amount: { currency: 'EUR', value: 1 } } }).show()",
  "navigator.share({ title: 'x' })",
  "navigator.registerProtocolHandler('web+x', '/%s')",
  "document.requestStorageAccess()",
];

/** Other browser features. */
export const devices: HostilePages = {
  "questions to the user": all(QUESTIONS),
  "beacons without end": scripted(
    "setInterval(() => { for (let i = 0; i < 100; i++) navigator.sendBeacon('beacon', 'x'.repeat(500)) }, 5)",
    { gaps: { frames: [] }, orElse: ["timeout"] }
  ),
  "requests without end": scripted(
    "setInterval(() => { for (let i = 0; i < 20; i++) fetch('none?' + Math.random()) }, 5)",
    {
      gaps: { frames: [], unfinished: true },
      orElse: ["timeout"],
    }
  ),
  "web sockets without end": scripted(
    "setInterval(() => { for (let i = 0; i < 20; i++) new WebSocket(`ws://${location.host}/socket`) }, 10)",
    { gaps: {} }
  ),
  "events from the server without end": {
    page: pageWith(
      script(
        "const source = new EventSource('events'); source.onmessage = () => document.title = Math.random()"
      )
    ),
    parts: {
      "/events": (_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        const timer = setInterval(() => response.write("data: x\n\n"), 1);
        response.once("close", () => clearInterval(timer));
      },
    },
    outcome: checked({ gaps: {} }),
  },
  "100,000 performance entries": scripted(
    "for (let i = 0; i < 1e5; i++) { performance.mark('m' + i); performance.measure('axe', 'm' + i) }"
  ),
  "storage without end": scripted(
    "setInterval(() => { try { localStorage['x' + Math.random()] = 'x'.repeat(1e6) } catch {}; caches.open('x').then((cache) => cache.put('/x' + Math.random(), new Response('x'.repeat(5e6)))); " +
      "document.cookie = `c${Math.random()}=${'x'.repeat(4000)}` }, 10)",
    { gaps: {} }
  ),
  "fonts by the hundred": {
    page: pageWith(
      Array.from({ length: 200 }, (_, i) => `<span style="font-family: f${i}">x</span>`).join(""),
      `<style>${Array.from(
        { length: 200 },
        (_, i) => `@font-face { font-family: f${i}; src: url(font?${i}) }`
      ).join("")}</style>`
    ),
    parts: { "/font": { headers: { "content-type": "font/woff2" }, body: Buffer.alloc(100_000, "wOF2") } },
    outcome: checked({ gaps: {} }),
  },
  "documents in objects, embeds and closed shadow roots": {
    page: pageWith(
      `<object id="object" data="inside" type="text/html" aria-label="x"></object><embed id="embed" src="inside" type="text/html"><div id="host"></div>${script(
        "host.attachShadow({ mode: 'closed' }).innerHTML = '<img src=\"data:,\">'"
      )}`
    ),
    parts: { "/inside": pageWith("") },
    outcome: checked({
      gaps: {
        frames: [expect.stringMatching(/inside$/), expect.stringMatching(/inside$/)] as string[],
        closedShadowRoots: 1,
      },
    }),
  },
  "portals and fenced frames": {
    page: pageWith(
      `<portal src="inside"></portal><fencedframe></fencedframe>${script(
        "try { document.querySelector('fencedframe').config = new FencedFrameConfig('inside') } catch {}"
      )}`
    ),
    parts: { "/inside": pageWith("") },
    outcome: checked({ gaps: {} }),
  },
  "calls between browsers": scripted(
    "for (let i = 0; i < 100; i++) { const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:3478' }] }); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o)) }",
    { gaps: {} }
  ),
};
