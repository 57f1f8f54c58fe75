import type { Extract, Pack } from "tar-stream";

/** Writes a whole source into a stream of tar-stream, which Node's `pipeline` does not support. */
export async function writeInto(target: Extract | ReturnType<Pack["entry"]>, source: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of source) {
    if (target.destroyed) return;
    if (!target.write(chunk)) await drained(target);
  }
  target.end(null);
}

function drained(target: Extract | ReturnType<Pack["entry"]>): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      target.off("drain", done);
      target.off("close", done);
      resolve();
    };
    target.on("drain", done);
    target.on("close", done);
  });
}
