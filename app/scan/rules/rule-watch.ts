import { callOrTerminateScripts } from "~/scan/page/stop-scripts";
import type { IsolatedWorld } from "~/scan/page/isolated-world";

const BINDING = "rampeRuleBegins";

/** Share of the remaining time that a run may use before its first rule begins. */
const SHARE_TO_BEGIN = 0.5;
/** Share of the time remaining at its start that a rule may use, if others follow it. */
const SHARE_OF_A_RULE = 0.75;

export interface RuleWatch {
  /**
   * Waits for a run of rules; resolves with undefined when the run must be stopped, because a rule uses too much time, or
   * no time is left.
   */
  unlessStuck<Result>(left: () => number, run: Promise<Result>): Promise<Result | undefined>;
  stop(): void;
}

/**
 * Tracks which rule runs in a frame. A running rule blocks its page, but reports its start.
 * @param onSilence called when the page's scripts had to be silenced
 */
export async function watchRules({ session }: IsolatedWorld, onSilence?: () => void): Promise<RuleWatch> {
  let onBegin: (payload: string) => void = () => {};
  const onCalled = ({ name, payload }: { name: string; payload: string }) => {
    if (name === BINDING) onBegin(payload);
  };
  session.on("Runtime.bindingCalled", onCalled);
  await callOrTerminateScripts(session, () => session.send("Runtime.addBinding", { name: BINDING, executionContextName: "rampe" }), onSilence);
  return {
    async unlessStuck(left, run) {
      let timer: NodeJS.Timeout | undefined;
      const stuck = new Promise<undefined>((resolve) => {
        const allow = (share: number) => {
          clearTimeout(timer);
          timer = setTimeout(() => resolve(undefined), Math.max(0, left() * share));
        };
        allow(SHARE_TO_BEGIN);
        onBegin = (payload) => allow(payload === "the last" ? 1 : SHARE_OF_A_RULE);
      });
      return Promise.race([run, stuck]).finally(() => clearTimeout(timer));
    },
    stop() {
      session.off("Runtime.bindingCalled", onCalled);
    },
  };
}
