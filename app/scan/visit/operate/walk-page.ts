import { within } from "~/platform/async/deadline";
import type { CutConnection } from "~/scan/interaction/cut-connection";
import { confirmSkipped } from "~/scan/interaction/confirm-skipped";
import { describeWalk } from "~/scan/interaction/describe-walk";
import { walkBack, walkByKeyboard } from "~/scan/interaction/keyboard-walk";
import { pictureFocus, pictureHiddenFocus, type PicturedFocus } from "~/scan/interaction/picture-focus";
import { expectStops } from "~/scan/interaction/skipped-stops";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { Tab } from "~/scan/page/tab";
import { isSilenced } from "~/scan/page/stop-scripts";
import { focusAppearance } from "~/scan/rules/rampe/keyboard/focus-appearance";
import { focusColorOnly } from "~/scan/rules/rampe/keyboard/focus-color-only";
import { focusContext } from "~/scan/rules/rampe/keyboard/focus-context";
import { focusCovered } from "~/scan/rules/rampe/keyboard/focus-covered";
import { focusCoveredEnhanced } from "~/scan/rules/rampe/keyboard/focus-covered-enhanced";
import { focusRemoved } from "~/scan/rules/rampe/keyboard/focus-removed";
import { focusVisible } from "~/scan/rules/rampe/keyboard/focus-visible";
import { hiddenFocus } from "~/scan/rules/rampe/keyboard/hidden-focus";
import { keyboardTrap } from "~/scan/rules/rampe/keyboard/keyboard-trap";
import { skippedControl } from "~/scan/rules/rampe/keyboard/skipped-control";
import { unseenFocus } from "~/scan/rules/rampe/keyboard/unseen-focus";
import { analyseFrameAgain, type InnerFrame } from "~/scan/rules/analysis";
import type { CheckedPage, PageRequest } from "~/scan/types";
import { addPartial, judgeAgain } from "~/scan/visit/judge-again";

const WALK_WITHIN_MS = 10_000;
const BACK_WITHIN_MS = 4_000;
const PICTURES_WITHIN_MS = 5_000;
const HIDDEN_WITHIN_MS = 3_000;
const SKIPPED_WITHIN_MS = 1_000;
/** Time after which each step ends itself, before the next one begins. */
const ENDS_WITHIN_MS = 1_500;
/** Shares of the time. */
const SHARE_TO_WALK = 0.4;
const SHARE_FOR_WAY_BACK = 0.15;
const SHARE_FOR_PICTURES = 0.2;
const SHARE_FOR_HIDDEN = 0.1;
const SHARE_FOR_SKIPPED = 0.05;
/** Shares for the inner frames with stops, together. */
const SHARE_FOR_FRAMES = 0.1;
const SHARE_FOR_RULES_IN_FRAMES = 0.05;
const FRAMES_WITHIN_MS = 3_000;
const FRAME_RULES_WITHIN_MS = 1_000;
const SHARE_FOR_RULES = 0.25;
/** Time for the report after the rules. */
const REPORT_WITHIN_MS = 3_000;
/** Time for pictures of findings. */
const EVIDENCE_WITHIN_MS = 2_000;
const SHARE_FOR_EVIDENCE = 0.15;
/** Share for the picture of the page; the walk seldom needs all of its share. */
const SHARE_FOR_PAGE = 0.2;

/** Rules that also judge the way back. */
const COVERED = [focusCovered.id, focusCoveredEnhanced.id];
/** Rules that also judge the stops in inner frames. */
const IN_FRAMES = [focusVisible.id, unseenFocus.id, hiddenFocus.id, focusRemoved.id, keyboardTrap.id, skippedControl.id];
/** Rules about stops that judge the page's own document alone. */
const BESIDE_FRAMES = [...COVERED, focusColorOnly.id, focusAppearance.id, focusContext.id];

export interface WalkOptions extends Pick<PageRequest, "standard" | "pictures"> {
  /** Time in ms. */
  budgetMs: number;
  /** Ids of the rules of the walk. */
  ruleIds: string[];
  /** Ids of further rules to run afterwards, which need no walk. */
  also: string[];
  /** Keys were pressed before, so that the walk has to find the start of the page. */
  isUsed?: boolean;
  /** Inner frames that were analysed. */
  innerFrames: InnerFrame[];
}

/**
 * Walks through an analysed page by keyboard, and adds the findings of the rules of the walk. Rules with missing tests are named in `partial`.
 * Never fails.
 * @param connection undefined if it could not be cut: then there is no walk
 * @param world isolated world of the analysis
 * @param page page whose results are changed
 */
export async function walkPage(tab: Tab, connection: CutConnection | undefined, world: IsolatedWorld, page: CheckedPage, { standard, pictures, budgetMs, ruleIds, also, isUsed = false, innerFrames }: WalkOptions): Promise<void> {
  let unfinished = [...ruleIds, ...also];
  if (unfinished.length === 0) return;
  try {
    const walked = connection && ruleIds.length > 0 ? await walk(connection) : { isWhole: ruleIds.length === 0, unseen: [] };
    const { isWhole } = walked;
    const rulesMs = budgetMs * SHARE_FOR_RULES;
    const picturesMs = () => Math.min(EVIDENCE_WITHIN_MS, budgetMs * SHARE_FOR_EVIDENCE);
    const { partial } = await judgeAgain(world, page, { standard, pictures, ids: unfinished, rulesMs, reportedMs: rulesMs + REPORT_WITHIN_MS, picturesMs });
    // Without its scripts, the page does not behave as for users.
    unfinished = [...(isWhole && !isSilenced(tab.session) ? walked.unseen : ruleIds), ...partial];
    if (pictures && connection && ruleIds.length > 0) page.walk = await describeWalk(world, isWhole && !isSilenced(tab.session), budgetMs * SHARE_FOR_PAGE);
  } catch {
    // The page went away or hangs: its other results stay.
  }
  addPartial(page, unfinished);

  /** @returns whether the walk reached the end of the page, and ids of rules for which some elements were not pictured */
  async function walk(cut: CutConnection): Promise<{ isWhole: boolean; unseen: string[] }> {
    const own = innerFrames.filter((frame) => frame.world.session === tab.session && tab.innerFrame(frame.world.frameId).shown);
    if (ruleIds.includes(skippedControl.id)) {
      await within(SKIPPED_WITHIN_MS, world.call(expectStops));
      await within(SKIPPED_WITHIN_MS, Promise.all(own.map((frame) => frame.world.call(expectStops).catch(() => {})))).catch(() => {});
    }
    const walked = await inTime(WALK_WITHIN_MS, SHARE_TO_WALK, (signal) => walkByKeyboard(world, cut, signal, { isUsed, frames: own.map((frame) => frame.world) }));
    const { isWhole, frames, hasStopsInFrames, hasUnseenFrames } = walked || { isWhole: false, frames: new Set<IsolatedWorld>(), hasStopsInFrames: false, hasUnseenFrames: true };
    const isBack = isWhole && (await inTime(BACK_WITHIN_MS, SHARE_FOR_WAY_BACK, (signal) => walkBack(world, cut, signal)));
    const areConfirmed = isWhole && (await inTime(SKIPPED_WITHIN_MS, SHARE_FOR_SKIPPED, (signal) => confirmSkipped(world, cut, signal)));
    const compared = await inTime(PICTURES_WITHIN_MS, SHARE_FOR_PICTURES, (signal) => pictureFocus(world, signal, { alsoOutlined: ruleIds.includes(focusAppearance.id) }));
    const areHiddenPictured = await inTime(HIDDEN_WITHIN_MS, SHARE_FOR_HIDDEN, (signal) => pictureHiddenFocus(world, signal, tab.network.hasLostStyles()));
    // The walk came out of the frames.
    const inUnseen = hasUnseenFrames ? IN_FRAMES.filter((id) => id !== keyboardTrap.id) : [];
    const beyondFrames = [...inUnseen, ...(hasUnseenFrames || hasStopsInFrames ? BESIDE_FRAMES : []), ...(await judgeFrames(cut, own.filter((frame) => frames.has(frame.world)), isWhole))];
    const unseen = [...beyondFrames, ...(isBack ? [] : COVERED), ...beyondPictures(compared), ...(areHiddenPictured ? [] : [unseenFocus.id]), ...(areConfirmed ? [] : [skippedControl.id])];
    return { isWhole, unseen: unseen.filter((id) => ruleIds.includes(id)) };
  }

  /** Pictures the stops in inner frames, and runs the rules about them there. @returns ids of the rules for which some were not examined */
  async function judgeFrames(cut: CutConnection, frames: InnerFrame[], isWhole: boolean): Promise<string[]> {
    const ids = IN_FRAMES.filter((id) => ruleIds.includes(id));
    const unseen = new Set<string>();
    const end = performance.now() + Math.min(FRAMES_WITHIN_MS, budgetMs * SHARE_FOR_FRAMES) + FRAME_RULES_WITHIN_MS;
    for (const frame of ids.length > 0 ? frames : []) {
      // A page that does not answer takes longer in each frame.
      if (performance.now() > end) return ids;
      const share = SHARE_FOR_FRAMES / frames.length / 2;
      const areConfirmed = isWhole && (await inTime(SKIPPED_WITHIN_MS / frames.length, SHARE_FOR_SKIPPED / frames.length, (signal) => confirmSkipped(frame.world, cut, signal)));
      if (!areConfirmed) unseen.add(skippedControl.id);
      const compared = await inTime(FRAMES_WITHIN_MS / frames.length, share, (signal) => pictureFocus(frame.world, signal, { outer: world }));
      const areHiddenPictured = await inTime(FRAMES_WITHIN_MS / frames.length, share, (signal) => pictureHiddenFocus(frame.world, signal, tab.network.hasLostStyles(), true));
      if (!compared || !compared.areWithoutOutline || !compared.areKnown) unseen.add(focusVisible.id);
      if (!areHiddenPictured) unseen.add(unseenFocus.id);
      const ms = Math.min(FRAME_RULES_WITHIN_MS, (budgetMs * SHARE_FOR_RULES_IN_FRAMES) / frames.length);
      const unfinished = await within(ms + ENDS_WITHIN_MS, analyseFrameAgain(world, frame, standard, ids, ms)).catch(() => ids);
      unfinished.forEach((id) => unseen.add(id));
    }
    return [...unseen];
  }

  /** @returns result of the work; false if the page does not answer */
  function inTime<Result>(mostMs: number, share: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result | false> {
    const ms = Math.min(mostMs, budgetMs * share);
    return within<Result | false>(ms + ENDS_WITHIN_MS, work(AbortSignal.timeout(Math.round(ms)))).catch(() => false);
  }
}

/** Ids of rules for which some elements were not pictured. @param compared false if the page did not answer */
export function beyondPictures(compared: PicturedFocus | false): string[] {
  const { areWithoutOutline, areAll } = compared || { areWithoutOutline: false, areAll: false };
  return [...(areWithoutOutline ? [] : [focusVisible.id]), ...(areAll ? [] : [focusColorOnly.id, focusAppearance.id])];
}
