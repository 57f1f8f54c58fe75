import type { RequestHandler } from "express";

declare module "@remix-run/node" {
  interface AppLoadContext {
    /**
     * Backpressure: resolves when the visitor's connection accepts more data, or is closed. Remix writes a response without
     * waiting, so a large one would fill the memory for a slow client.
     */
    drained?: () => Promise<void>;
  }
}

/** Puts `drained` into `response.locals`. Register it after the compression, which has its own buffer. */
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
