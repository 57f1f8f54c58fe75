// Starts the built server. React picks its production build by this variable when it is loaded, hence before all else.
process.env.NODE_ENV ??= "production";
// By its address, as what is built is not to be checked for its types.
await import(new URL("../build/server/serve.js", import.meta.url).href);
