import type { CDPSession, Protocol } from "puppeteer";
import { abbreviated } from "~/scan/browser/long-texts";
import { defineDom } from "./dom";
import { KEEP_NAMES } from "./keep-names";
import { reserveGlobals, WORLD_GLOBALS } from "./world-globals";

/** Prepares a world, also one that is already in use. */
const SETUP = `(() => { ${KEEP_NAMES} (${reserveGlobals.toString()})(${JSON.stringify(WORLD_GLOBALS)}); (${defineDom.toString()})(); })()`;

/**
 * An isolated world in one frame: it sees the frame's document, but shares no variable with the page's scripts and
 * ignores the page's content security policy.
 */
export interface IsolatedWorld {
  readonly frameId: string;
  readonly session: CDPSession;
  /** Runs a script of definitions, the same for every page. It runs only once, even if called again, unless it fails. */
  evaluate(script: string): Promise<void>;
  /** Calls a function in the page. It is sent as source text, so it may use nothing outside itself. */
  call<Args extends unknown[], Result>(
    task: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>>;
  /**
   * Like `call` for a function that returns an element; resolves with the browser's description of it, such as the id of
   * the frame inside it.
   */
  node<Args extends unknown[]>(
    task: (...args: Args) => Element | null,
    ...args: Args
  ): Promise<Protocol.DOM.Node | undefined>;
  /** Same as `call`, for a function that also takes nodes, by the browser's ids; null for a node that has gone. */
  callOn<Value>(ids: number[], task: (value: Value, ...nodes: (Node | null)[]) => void, value: Value): Promise<void>;
}

/** @throws when the frame is gone */
export async function openIsolatedWorld(session: CDPSession, frameId: string): Promise<IsolatedWorld> {
  const { executionContextId } = await session.send("Page.createIsolatedWorld", {
    frameId,
    worldName: "rampe",
  });

  async function callFunction<Args extends unknown[]>(
    task: (...args: Args) => unknown,
    args: Args,
    byValue: boolean,
  ) {
    const { result, exceptionDetails } = await session.send("Runtime.callFunctionOn", {
      functionDeclaration: standalone(task),
      executionContextId,
      arguments: args.map((value) => ({ value })),
      returnByValue: byValue,
      awaitPromise: true,
    });
    if (exceptionDetails) throw thrownInPage(exceptionDetails);
    return result;
  }

  const evaluated = new Map<string, Promise<void>>();
  // Not awaited: answers come in order. The set-up may be stopped together with a script of the page, and fails again if the frame is gone.
  run(SETUP).catch(() => run(SETUP)).catch(() => {});

  async function run(script: string): Promise<void> {
    const { exceptionDetails } = await session.send("Runtime.evaluate", {
      // Avoids sending the last statement's value back.
      expression: `${abbreviated(session, script)}\n;undefined;`,
      contextId: executionContextId,
      returnByValue: true,
    });
    if (exceptionDetails) throw thrownInPage(exceptionDetails);
  }

  return {
    frameId,
    session,
    evaluate(script) {
      const evaluating = evaluated.get(script) ?? run(script);
      evaluated.set(script, evaluating);
      evaluating.catch(() => evaluated.delete(script));
      return evaluating;
    },
    async call<Args extends unknown[], Result>(
      task: (...args: Args) => Result,
      ...args: Args
    ): Promise<Awaited<Result>> {
      return (await callFunction(task, args, true)).value as Awaited<Result>;
    },
    async node(task, ...args) {
      const { objectId } = await callFunction(task, args, false);
      if (!objectId) return undefined;
      return (await session.send("DOM.describeNode", { objectId })).node;
    },
    async callOn(ids, task, value) {
      const objectGroup = "rampe-nodes";
      try {
        const nodes = await Promise.all(
          ids.map((backendNodeId) => session.send("DOM.resolveNode", { backendNodeId, executionContextId, objectGroup }).catch(() => null)),
        );
        const { exceptionDetails } = await session.send("Runtime.callFunctionOn", {
          functionDeclaration: standalone(task),
          executionContextId,
          arguments: [{ value }, ...nodes.map((node) => (node?.object.objectId ? { objectId: node.object.objectId } : { value: null }))],
          returnByValue: true,
        });
        if (exceptionDetails) throw thrownInPage(exceptionDetails);
      } finally {
        await session.send("Runtime.releaseObjectGroup", { objectGroup });
      }
    },
  };
}

function standalone(task: (...args: never[]) => unknown): string {
  return `function (...args) { ${KEEP_NAMES} return (${task.toString()})(...args); }`;
}

interface ExceptionDetails {
  text: string;
  exception?: { description?: string };
}

const thrownInPage = ({ text, exception }: ExceptionDetails) =>
  new Error(exception?.description?.split("\n")[0] ?? text);
