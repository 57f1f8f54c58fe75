import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig, type Plugin, type UserConfig } from "vite";
import { UNBUNDLED } from "./scripts/deploy/shipped-packages.mjs";

declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The server, the command line and the pages share one module graph: Remix' plugin fixes the server build to a single
 * entry, so the others are added after it has spoken. All are plain Node files afterwards; nothing at run time needs a
 * build tool.
 */
function serverEntries(entries: Record<string, string>): Plugin {
  return {
    name: "rampe:server-entries",
    apply: "build",
    enforce: "post",
    configResolved(config) {
      if (!config.build.ssr) return;
      config.build.rollupOptions.input = {
        index: config.build.rollupOptions.input as string,
        ...entries,
      };
      Object.assign(config.build.rollupOptions.output ?? {}, { entryFileNames: "[name].js" });
    },
  };
}

/** Compresses what the browser loads once and as well as can be, rather than quickly for every visitor. */
function compressedAssets(): Plugin {
  return {
    name: "rampe:compressed-assets",
    // A build with `--minify false` is for tests, and its files take long to compress. Remix hands the word on.
    apply: ({ build }, { command }) => command === "build" && String(build?.minify) !== "false",
    enforce: "post",
    // Last of all: Vite itself still rewrites chunks in this hook.
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        if (this.environment.name !== "client") return;
        for (const [fileName, file] of Object.entries(bundle)) {
          if (!/\.(js|css|svg)$/.test(fileName)) continue;
          const source = file.type === "chunk" ? file.code : file.source;
          this.emitFile({ type: "asset", fileName: `${fileName}.br`, source: brotliCompressSync(source) });
          this.emitFile({ type: "asset", fileName: `${fileName}.gz`, source: gzipSync(source, { level: 9 }) });
        }
      },
    },
  };
}

/** Joins neighbours of one cascade layer or media query: every imported style sheet arrives as a block of its own. */
const css: UserConfig["css"] = {
  postcss: {
    plugins: [
      {
        postcssPlugin: "rampe:joined-blocks",
        OnceExit(root) {
          root.walkAtRules(/^(layer|media)$/, (block) => {
            for (let next = block.next(); next?.type === "atrule" && isSame(next, block); next = block.next()) {
              block.append(next.nodes ?? []);
              next.remove();
            }
          });
        },
      },
    ],
  },
};

function isSame(one: { name: string; params: string }, other: { name: string; params: string }): boolean {
  return one.name === other.name && one.params === other.params;
}

const ON_NEARLY_EVERY_PAGE =
  /\/app\/(ui\/(frame|dialog\/(dialog-context|page-heading)|icon|use-heading-focus|request-context|form\/(error-summary|submit-button|text-field))|runs\/view\/check-form|legal\/(legal-link|use-legal)|platform\/(http\/(color-scheme|page-meta)|i18n\/(i18n|preload-namespaces)))(\/|\.tsx?$)/;

/**
 * Small modules that nearly every page needs compress better in one file, and are asked for once instead of ten times.
 * Packages change less often than our own code, and stay in browsers' caches.
 */
function chunkOf(id: string): string | undefined {
  if (id.includes("/node_modules/")) return "packages";
  return ON_NEARLY_EVERY_PAGE.test(id) ? "parts" : undefined;
}

/**
 * Remix uses the first two for versions of Node without `fetch`, in `installGlobals`; Puppeteer uses the third one to download browsers,
 * and the last two, which are not installed, for web sockets.
 */
const UNUSED = ["undici", "@remix-run/web-fetch", "proxy-agent", "bufferutil", "utf-8-validate"];
/** Tells `ws` to do without its optional packages. */
const WITHOUT_ADDONS = { "process.env.WS_NO_BUFFER_UTIL": '"1"', "process.env.WS_NO_UTF_8_VALIDATE": '"1"' };
const NEVER_LOADED = "\0rampe:never-loaded";

/** What the server never runs costs time at every start: Node reads the built files as a whole. */
function lighterServer(): Plugin {
  return {
    name: "rampe:lighter-server",
    apply: (_config, { isSsrBuild }) => isSsrBuild === true,
    enforce: "pre",
    // React has a second version for developers, which a start without the variable would take.
    config: () => ({ define: { "process.env.NODE_ENV": JSON.stringify("production"), ...WITHOUT_ADDONS } }),
    resolveId(id, importer) {
      if (UNUSED.includes(id)) return NEVER_LOADED;
      // Without the search for settings and for an installed browser, which is our own (`find-browser.mjs`).
      if (id === "puppeteer") return this.resolve("puppeteer-core", importer);
      return undefined;
    },
    load: (id) => (id === NEVER_LOADED ? "export const ProxyAgent = undefined;" : undefined),
  };
}

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    remix({
      future: {
        v3_fetcherPersist: true,
        v3_lazyRouteDiscovery: true,
        v3_relativeSplatPath: true,
        v3_routeConfig: true,
        v3_singleFetch: true,
        v3_throwAbortReason: true,
        // Finds all packages before the first visit; one found during it would load React a second time.
        unstable_optimizeDeps: true,
      },
    }),
    compressedAssets(),
    lighterServer(),
    serverEntries({ serve: here("./scripts/serve.ts"), scan: here("./scripts/scan.ts"), admin: here("./scripts/admin.ts"), "billing-setup": here("./scripts/billing-setup.ts") }),
  ],
  resolve: {
    alias: { "~": here("./app"), db: here("./db"), locales: here("./locales") },
  },
  css,
  // One byte for each character of the server's files: Node reads them faster. JSON is read faster than objects.
  esbuild: isSsrBuild ? { charset: "ascii" } : {},
  json: { stringify: isSsrBuild ? true : "auto" },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    // Terser makes the browser's files smaller, but takes long for the server's.
    minify: isSsrBuild ? "esbuild" : "terser",
    rollupOptions: isSsrBuild ? {} : { output: { manualChunks: chunkOf } },
  },
  // With its packages in a few files, the server starts in about half the time. What reads files of its own package stays outside.
  ssr: { target: "node", noExternal: isSsrBuild || undefined, external: UNBUNDLED },
}));
