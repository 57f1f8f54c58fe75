import type { Socket } from "node:net";
import { pageWith, type Handler } from "../site";
import { checked, script, type HostilePages } from "./kinds";

/** Writes directly to the socket, without HTTP. */
const raw =
  (write: (socket: Socket, more: (ms: number, text: () => string) => void) => void): Handler =>
  ({ socket }) => {
    write(socket, (ms, text) => {
      const timer = setInterval(() => socket.write(text()), ms);
      socket.once("close", () => clearInterval(timer));
    });
  };

const redirect = (location: string) => ({ status: 302, headers: { location } });
const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";

/** Servers with unusual answers. */
export const answers: HostilePages = {
  "headers without end": {
    page: raw((socket, more) => {
      socket.write(HEAD);
      more(1, () => `X-${Math.random()}: ${"x".repeat(5_000)}\r\n`);
    }),
    outcome: ["too_large"],
  },
  "headers that drip": {
    page: raw((socket, more) => {
      socket.write(HEAD);
      more(300, () => `X-${Math.random()}: x\r\n`);
    }),
    outcome: ["timeout"],
  },
  "a document that drips": {
    page: raw((socket, more) => {
      socket.write(`${HEAD}\r\n${pageWith("").replace("</body></html>", "")}`);
      more(50, () => "<p>More</p>");
    }),
    outcome: checked({ gaps: { unfinished: true } }),
  },
  "a single byte, and then silence": {
    page: raw((socket) => void socket.write("H")),
    outcome: ["timeout"],
  },
  "5,000 headers": {
    page: (_request, response) => {
      for (let i = 0; i < 5_000; i += 1) response.setHeader(`x-${i}`, "x");
      response.setHeader("content-type", "text/html").end(pageWith(""));
    },
    outcome: ["too_large"],
  },
  "more content than announced": {
    page: raw(
      (socket) =>
        void socket.end(
          `${HEAD}Content-Length: ${pageWith("").length}\r\n\r\n${pageWith("")}${"<img id=more>".repeat(100)}`
        )
    ),
    outcome: checked(),
  },
  "less content than announced": {
    page: raw((socket) => void socket.end(`${HEAD}Content-Length: 100000\r\n\r\n${pageWith("")}`)),
    // Chromium stops parsing when the connection breaks; on a busy machine, it may have parsed nothing before.
    outcome: checked({ gaps: { unfinished: true }, orElse: ["empty"] }),
  },
  "no HTTP at all": {
    page: raw((socket) => void socket.end("SSH-2.0-OpenSSH_9.9\r\n")),
    outcome: ["refused"],
  },
  "a wrong encoding": {
    page: {
      headers: { "content-type": "text/html; charset=utf-8" },
      body: Buffer.concat([
        Buffer.from(pageWith("").slice(0, -14)),
        Buffer.of(0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0),
        Buffer.from("</body></html>"),
      ]),
    },
    outcome: checked(),
  },
  "a content encoding that is a lie": {
    page: { headers: { "content-encoding": "gzip" }, body: pageWith("") },
    outcome: ["empty"],
  },
  "UTF-16 that nobody announces": {
    page: {
      headers: { "content-type": "text/html" },
      body: Buffer.from(pageWith("<p>Ümläute €</p>"), "utf16le"),
    },
    outcome: checked({ violations: [], orElse: ["empty"], gaps: {} }),
  },
  "XHTML with an error in the middle": {
    page: {
      headers: { "content-type": "application/xhtml+xml" },
      body: `<html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><title>X</title></head><body><h1>Before</h1><img id="bare" src="data:,"/><p>Broken <b></p><img id="after" src="data:,"/></body></html>`,
    },
    outcome: checked({ gaps: { frames: [], unfinished: true } }),
  },
  "parts that replace each other": {
    page: (_request, response) => {
      response.writeHead(200, { "content-type": "multipart/x-mixed-replace; boundary=x" });
      const timer = setInterval(
        () => response.write(`--x\r\ncontent-type: text/html\r\n\r\n${pageWith("")}\r\n`),
        200
      );
      response.once("close", () => clearInterval(timer));
    },
    outcome: ["not_html"],
  },
  "a refresh header to itself": {
    page: { headers: { refresh: "0" }, body: pageWith("") },
    outcome: ["redirect_loop"],
  },
  "a redirect to itself by refresh": {
    page: (request, response) =>
      response
        .writeHead(200, {
          "content-type": "text/html",
          refresh: `0; url=${request.url?.split("?")[0]}?${Math.random()}`,
        })
        .end(pageWith("")),
    outcome: ["redirect_loop"],
  },
  "a redirect to ftp": { page: redirect("ftp://127.0.0.1/x"), outcome: ["blocked_address"] },
  "a redirect to view-source": {
    page: redirect("view-source:http://127.0.0.1/"),
    outcome: ["blocked_address"],
  },
  "a redirect to a script": {
    page: redirect("javascript:document.write('x')"),
    outcome: ["blocked_address"],
  },
  "a redirect to a file": { page: redirect("file:///etc/passwd"), outcome: ["blocked_address"] },
  "a redirect to the browser's own pages": {
    page: redirect("chrome://version"),
    outcome: ["blocked_address"],
  },
  "a redirect to an app": {
    page: redirect("intent://scan/#Intent;scheme=zxing;end"),
    outcome: ["blocked_address"],
  },
  "a chain of redirects that ends badly": {
    page: redirect("hop"),
    parts: { "/hop": redirect("hop2"), "/hop2": redirect("blob:http://127.0.0.1/x") },
    outcome: ["blocked_address"],
  },
  "407 from the site itself": {
    page: { status: 407, headers: { "proxy-authenticate": `Basic realm="Site"` }, body: pageWith("") },
    outcome: ["http_status"],
  },
  "a password asked for": {
    page: { status: 401, headers: { "www-authenticate": `Basic realm="Site"` }, body: pageWith("") },
    outcome: ["login_required"],
  },
  "an image that asks for a password": {
    page: pageWith(`<img alt="x" src="secret">`),
    parts: { "/secret": { status: 401, headers: { "www-authenticate": `Basic realm="Site"` } } },
    outcome: checked(),
  },
  "site data cleared, and all isolation there is": {
    page: {
      headers: {
        "clear-site-data": `"*"`,
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-embedder-policy": "require-corp",
        "cross-origin-resource-policy": "same-origin",
        "origin-agent-cluster": "?1",
        "document-policy": "force-load-at-top",
        "permissions-policy": "sync-xhr=(), fullscreen=()",
      },
      body: pageWith(""),
    },
    outcome: checked(),
  },
  "a policy that sandboxes": {
    page: {
      headers: {
        "content-security-policy":
          "sandbox; default-src 'none'; img-src data:; require-trusted-types-for 'script'",
      },
      body: pageWith(script("document.title = 'ran'")),
    },
    outcome: checked(),
  },
  "early hints and links to everything": {
    page: (_request, response) => {
      response.writeEarlyHints({
        link: Array.from({ length: 50 }, (_, i) => `<hint${i}>; rel=preload; as=script`),
      });
      response
        .writeHead(200, {
          "content-type": "text/html",
          link: Array.from({ length: 50 }, (_, i) => `<//127.0.0.${i}>; rel=preconnect`).join(", "),
        })
        .end(pageWith(""));
    },
    outcome: checked({ gaps: {} }),
  },
};
