// The development server: the same application, loaded through Vite and reloaded when a file changes.
import { createServer } from "vite";

process.env.NODE_ENV ??= "development";

const vite = await createServer({ server: { middlewareMode: true } });
const { serve } = await vite.ssrLoadModule("/app/server/serve.server.ts");
const { startCashier } = await vite.ssrLoadModule("/scripts/start-cashier.ts");
await serve({
  startCashier,
  build: () => vite.ssrLoadModule("virtual:remix/server-build"),
  assets: vite.middlewares,
});
