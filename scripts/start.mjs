// Starts the built server. React picks its production build by this variable when it is loaded, hence before all else.
process.env.NODE_ENV ??= "production";
await import("../build/server/serve.js");
