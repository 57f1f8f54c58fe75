import { createScanner } from "~/scan/scanner";
import { createServer } from "node:http";
const site = createServer((q, r) => { r.setHeader("content-type","text/html"); const to = decodeURIComponent(q.url!.slice(1)); console.log(q.method, q.url);
 r.end(to.startsWith("D")?"<title>D</title><h1>x</h1>": `<!doctype html><html lang=en><title>S</title><h1>Site</h1><form method="post" action="${to}"></form><script>document.forms[0].submit()</script>`); });
await new Promise<void>(f=>site.listen(0,"127.0.0.1",f));
const port=(site.address() as any).port;
const s = createScanner({executablePath:"/usr/bin/chromium-headless-shell",concurrency:1,pageSeconds:20,allowPrivate:[`127.0.0.1:${port}`],userAgent:"x"});
for (const u of ["ftp://127.0.0.1:1/","file:///etc/passwd","http://127.0.0.1:8080/","https://127.0.0.1:8080","mailto:a@b.c","Done"]) { const r:any = await s.check({url:`http://127.0.0.1:${port}/${encodeURIComponent(u)}`,standard:{version:"2.2",level:"A"}}); console.log(u, r.status, r.reason, JSON.stringify(r.detail), r.finalUrl, r.durationMs, r.gaps); }
await s.stop(); site.closeAllConnections(); site.close();
