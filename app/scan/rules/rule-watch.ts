import { callOrTerminateScripts } from "~/scan/page/stop-scripts";
import type { IsolatedWorld } from "~/scan/page/isolated-world";

const BINDING = "rampeRuleBegins";

/** Until its first rule begins, a run may take this share of the time that is left. */
const SHARE_TO_BEGIN = 0.5;
/** A rule may take this share of what is left when it begins, where others come after it. */
const SHARE_OF_A_RULE = 0.75;

export interface RuleWatch {
  /**
   * Waits for a run of rules; gives undefined when it must be stopped, as one of its rules takes the time from the others,
   * or no time is left.
   */
  unlessStuck<Result>(left: () => number, run: Promise<Result>): Promise<Result | undefined>;
  stop(): void;
}

/**
 * Follows which rule runs in a frame. A rule keeps its page from answering, but says so when it begins.
 * @param onSilence called when the page's scripts had to be silenced for it
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
