// Preloaded into a server under test: password hashing takes HASH_MS (0), and no processor time.
// So tests of the password queue have equal results on all machines.
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import threads from "node:worker_threads";

const { scrypt, scryptSync } = crypto;
const HASH_MS = Number(process.env["HASH_MS"] ?? 0);
const clock = new Int32Array(new SharedArrayBuffer(4));
const quick = (options) => ({ ...options, N: 2, r: 1, p: 1 });

crypto.scrypt = (password, salt, length, options, done) =>
  setTimeout(() => scrypt(password, salt, length, quick(options), done), HASH_MS);
crypto.scryptSync = (password, salt, length, options) => {
  Atomics.wait(clock, 0, 0, HASH_MS);
  return scryptSync(password, salt, length, quick(options));
};

// Threads load this file, too: they inherit the flags of the process.
threads.Worker = class extends threads.Worker {
  constructor(program, options) {
    super(program, { ...options, execArgv: process.execArgv });
  }
};
syncBuiltinESMExports();
