// Starts the built server. React chooses its production build by this variable at load time, so it is set first.
process.env.NODE_ENV ??= "production";
// Import by URL: the type checker must not check the built file.
await import(new URL("../build/server/serve.js", import.meta.url).href);
