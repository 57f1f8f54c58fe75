// Health check: exit status 0 if the server on this machine answers /healthz with 200.
const { PORT = "3000" } = process.env;
const answer = await fetch(`http://127.0.0.1:${PORT}/healthz`).catch(() => null);
process.exit(answer?.ok ? 0 : 1);
