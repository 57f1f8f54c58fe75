// The development server: the same application, loaded through Vite and reloaded when a file changes.
import { createServer } from "vite";

process.env.NODE_ENV ??= "development";

const vite = await createServer({ server: { middlewareMode: true } });
const { serve } = await vite.ssrLoadModule("/app/server/process/serve.server.ts");
await serve({
  build: () => vite.ssrLoadModule("virtual:remix/server-build"),
  assets: vite.middlewares,
});
