import type { RequestHandler } from "express";

declare module "@remix-run/node" {
  interface AppLoadContext {
    /**
     * Resolves when the visitor's connection takes more, or is gone. Remix writes an answer as fast as it can be read, so that
     * a large one would wait in memory for a slow reader.
     */
    drained?: () => Promise<void>;
  }
}

/** Puts `drained` into `response.locals`. It comes after what compresses answers, which has a buffer of its own. */
export const pacedResponses: RequestHandler = (_request, response, next) => {
  let waiting: Promise<void> | undefined;
  let release = () => {};
  const write = response.write.bind(response) as (...args: unknown[]) => boolean;

  response.write = (...args: unknown[]) => {
    const hasRoom = write(...args);
    if (!hasRoom && !response.destroyed) waiting ??= new Promise((resolve) => (release = resolve));
    return hasRoom;
  };
  const go = () => {
    waiting = undefined;
    release();
  };
  response.on("drain", go);
  response.on("close", go);
  response.locals.drained = () => waiting ?? Promise.resolve();
  next();
};
