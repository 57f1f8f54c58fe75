// Start of the built server. The variable comes first: React chooses its production build by it at load time.
process.env.NODE_ENV ??= "production";
// Import by URL: the type checker must not check the built file.
await import(new URL("../build/server/serve.js", import.meta.url).href);
