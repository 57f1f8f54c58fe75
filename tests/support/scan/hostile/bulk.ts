import { deflateSync, gzipSync } from "node:zlib";
import { pageWith, type Page } from "../site";
import { checked, heavy, script, type HostilePages } from "./kinds";

const GIF = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

/** Excessive amounts of content. */
export const bulk: HostilePages = {
  "100,000 elements": {
    page: made(() => pageWith("<p>Text <b>and</b></p><hr>".repeat(33_334))),
    outcome: heavy(),
  },
  "elements nested 20,000 deep": {
    page: pageWith("", "").replace(
      "</body>",
      `${script(
        "let at = document.body; for (let i = 0; i < 20000; i++) at = at.appendChild(document.createElement('div')); at.textContent = 'deep'"
      )}</body>`
    ),
    outcome: heavy({ violations: [], orElse: ["crashed", "timeout", "too_large"] }),
  },
  "a million text nodes": {
    page: pageWith(
      `<div id="many"></div>${script(
        "const all = document.createDocumentFragment(); for (let i = 0; i < 1e6; i++) all.append('text '); many.append(all)"
      )}`
    ),
    outcome: heavy(),
  },
  "an attribute of 10 MB": {
    page: made(() => pageWith(`<img id="huge" src="data:,${"x".repeat(9_900_000)}">`)),
    outcome: checked({ violations: ["image-alt #bare", "image-alt #huge"] }),
  },
  "a selector of 5 MB": {
    page: pageWith(
      script(
        "const img = document.createElement('img'); img.id = 'y'.repeat(5e6); img.src = 'data:,'; document.body.append(img);" +
          "const other = document.createElement('img'); other.className = 'z'.repeat(5e6); document.body.append(other)"
      )
    ),
    outcome: heavy(),
  },
  "a drawing of 2 MB": {
    page: made(() => {
      const path = `<path d="M1 1L2 2C3 3 4 4 5 5z" fill="#123456"/>`;
      return pageWith(`<svg role="img" aria-label="Lines" viewBox="0 0 9 9">${path.repeat(40_000)}</svg>`);
    }),
    outcome: heavy(),
  },
  "labels in a chain of 20,000": {
    page: pageWith(
      script(
        'const html = []; for (let i = 0; i < 20000; i++) html.push(`<span id="l${i}" aria-labelledby="l${i + 1} l${i + 2}">x</span>`);' +
          "document.querySelector('main').insertAdjacentHTML('beforeend', html.join('') + `<button aria-labelledby=\"${Array.from({ length: 20000 }, (_, i) => 'l' + i).join(' ')}\"></button>`)"
      )
    ),
    outcome: heavy({ violations: [] }),
  },
  "a table of 10,000 cells": {
    page: made(() => {
      const row = `<tr><th>Head</th>${"<td>1</td>".repeat(99)}</tr>`;
      return pageWith(`<table>${row.repeat(100)}</table>`);
    }),
    outcome: heavy(),
  },
  "5,000 images": {
    page: pageWith(`<img src="${GIF}">`.repeat(5_000)),
    outcome: heavy(),
  },
  "4,000 open shadow roots": {
    page: pageWith(
      script(
        "for (let i = 0; i < 4000; i++) { const host = document.createElement('div'); document.body.append(host); host.attachShadow({ mode: 'open' }).innerHTML = '<p>In</p>' }"
      )
    ),
    outcome: heavy(),
  },
  "300 frames side by side": {
    page: pageWith(`<iframe title="One of many" srcdoc="<p>In"></iframe>`.repeat(300)),
    outcome: heavy({ gaps: {} }),
  },
  "frames nested 200 deep": {
    page: pageWith(
      script(
        "let at = document; for (let i = 0; i < 200; i++) { const frame = at.createElement('iframe'); frame.title = i; at.body.append(frame); at = frame.contentDocument; at.body.textContent = 'deep' }"
      )
    ),
    outcome: heavy({ gaps: {} }),
  },
  "a frame that holds itself, twice": {
    page: pageWith(
      script(
        "for (let i = 0; i < 2; i++) { const frame = document.createElement('iframe'); frame.title = i; frame.src = `${location.pathname}?${Math.random()}`; document.body.append(frame) }"
      )
    ),
    outcome: heavy({ gaps: {} }),
  },
  "a content property of 4 MB": {
    page: made(() =>
      pageWith(`<p id="p">Text</p>`, `<style>#p::after { content: "${"x ".repeat(2_000_000)}" }</style>`)
    ),
    outcome: heavy(),
  },
  "animations and marquees without end": {
    page: pageWith(
      `<p class="a">Text</p>`.repeat(500) + `<marquee>Text</marquee>`.repeat(20),
      "<style>@keyframes a { to { transform: rotate(1turn); width: 50%; color: red } } .a { animation: a 0.1s infinite }</style>"
    ),
    outcome: checked({ violations: ["image-alt #bare"] }),
  },
  "a picture of 30,000 × 30,000": {
    page: pageWith(`<img alt="Huge" src="picture">`),
    parts: {
      "/picture": (_request, response) =>
        void response.writeHead(200, { "content-type": "image/png" }).end(hugePng(30_000)),
    },
    outcome: checked(),
  },
  "a picture in a drawing of 100,000 × 100,000 with filters": {
    page: pageWith(
      `<svg role="img" aria-label="x" width="100000" height="100000"><filter id="f"><feTurbulence baseFrequency="0.01" numOctaves="50"/><feGaussianBlur stdDeviation="1000"/></filter><rect width="100000" height="100000" filter="url(#f)"/></svg>`
    ),
    outcome: checked(),
  },
  "a document that is a gigabyte when unpacked": {
    page: packed("text/html", 1_000),
    outcome: ["too_large"],
  },
  "a style sheet that is a gigabyte when unpacked": {
    page: pageWith("", `<link rel="stylesheet" href="style">`),
    parts: { "/style": packed("text/css", 1_000) },
    outcome: ["too_large"],
  },
  "a picture of 200 MB": {
    page: pageWith(`<img alt="Long" src="picture">`),
    parts: { "/picture": endless("image/svg+xml", 200) },
    outcome: ["too_large"],
  },
  "a request that brings 200 MB": {
    page: pageWith(script("fetch('data').then((answer) => answer.text())")),
    parts: { "/data": endless("text/plain", 200) },
    // On a slow machine, the analysis ends before all of it has arrived.
    outcome: checked({ gaps: { frames: [], unfinished: true }, orElse: ["too_large"] }),
  },
};

/** Created per request: not kept in memory during all tests. */
function made(make: () => string): Page {
  return (_request, response) =>
    void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(make());
}

/** Compressed spaces: a few kilobytes for each of these megabytes. */
function packed(type: string, megabytes: number): Page {
  return (_request, response) => {
    const part = gzipSync(Buffer.alloc(100_000_000, " "), { level: 1 });
    response.writeHead(200, { "content-type": type, "content-encoding": "gzip" });
    response.end(Buffer.concat(Array.from({ length: megabytes / 100 }, () => part)));
  };
}

function endless(type: string, megabytes: number): Page {
  return (_request, response) => {
    response.writeHead(200, { "content-type": type });
    const chunk = Buffer.alloc(1_000_000, " ");
    let sent = 0;
    const more = () => {
      while (!response.destroyed && sent++ < megabytes)
        if (!response.write(chunk)) return void response.once("drain", more);
      response.end();
    };
    more();
  };
}

/** Picture of one colour: one bit per pixel in the file, 4 bytes per pixel in memory. */
function hugePng(side: number): Buffer {
  const rows = Buffer.alloc((Math.ceil(side / 8) + 1) * side);
  const size = Buffer.alloc(8);
  size.writeUInt32BE(side, 0);
  size.writeUInt32BE(side, 4);
  return Buffer.concat([
    Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk("IHDR", Buffer.concat([size, Buffer.of(1, 0, 0, 0, 0)])),
    chunk("IDAT", deflateSync(rows, { level: 1 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
