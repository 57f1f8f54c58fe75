// Development server: the same application, loaded by Vite and reloaded after each change of a file.
import { createServer } from "vite";

process.env.NODE_ENV ??= "development";

const vite = await createServer({ server: { middlewareMode: true } });
const { serve } = await vite.ssrLoadModule("/app/server/process/serve.server.ts");
await serve({
  build: () => vite.ssrLoadModule("virtual:remix/server-build"),
  assets: vite.middlewares,
});
