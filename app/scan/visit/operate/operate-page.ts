import { within } from "~/platform/async/deadline";
import { cutConnection } from "~/scan/interaction/cut-connection";
import type { Egress } from "~/scan/network/egress";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { Tab } from "~/scan/page/tab";
import { rulesInConditions } from "~/scan/rules/analysis";
import { KEY_RULES } from "~/scan/rules/rampe/index";
import type { CheckedPage, PageRequest } from "~/scan/types";
import { addElements } from "~/scan/visit/add-findings";
import { addPartial } from "~/scan/visit/judge-again";
import { elementsToHover, hoverPage } from "./hover-page";
import { dialogAtStart, leaveStartDialogs, noteLeftDialogs } from "./leave-start-dialogs";
import { keysToPress, pressKeys, withOpenedWidgets } from "./press-keys";
import { controlsToTry, tryControls } from "./try-controls";
import { formsToTry, tryForms } from "./try-forms";
import { tryOpenedForms } from "./try-opened-forms";
import { tryPhoneControls } from "./try-phone-controls";
import { walkPage, type WalkOptions } from "./walk-page";

const CUT_WITHIN_MS = 2_000;
/** Shares of the remaining time for the walk, by the number of later steps. */
const SHARES_TO_WALK = [1, 0.75, 0.6, 0.5];
const SHARE_FOR_DIALOGS = 0.5;
const SHARE_TO_HOVER = 0.4;
const SHARE_TO_OPEN = 0.6;
const SHARE_FOR_KEYS = 0.6;

interface OperateOptions extends Omit<WalkOptions, "ruleIds" | "isUsed">, Pick<PageRequest, "rules"> {
  /** Number of controls that exist only on a phone; undefined if the page could not be seen there. */
  phoneControls: number | undefined;
}

/**
 * Operates an analysed page like a user, cut off from the network, and adds the findings of the rules of use: closes dialogs that came with
 * it, walks through it by keyboard, hovers it, opens controls, presses the keys that its widgets promise, and submits its forms empty, also in
 * what was opened. At last it opens what exists only on a phone. It must come after everything that needs the network. Never fails.
 * @param world isolated world of the analysis
 * @param page page whose results are changed
 */
export async function operatePage(tab: Tab, egress: Egress, world: IsolatedWorld, page: CheckedPage, options: OperateOptions): Promise<void> {
  const { standard, rules, also, phoneControls, innerFrames, budgetMs } = options;
  const end = performance.now() + budgetMs;
  const left = () => Math.max(0, end - performance.now());
  const keyboardIds = rulesInConditions(standard, rules, ["keyboard"]);
  const dialog = await dialogAtStart(world);
  const cut = () => within(CUT_WITHIN_MS, cutConnection(tab, egress, world)).catch(() => undefined);
  const early = dialog && (await cut());
  const dialogs = dialog && (await leaveStartDialogs(tab, world, early, dialog, page, { ...options, ruleIds: rulesInConditions(standard, rules, ["keyboard", "opened"]), budgetMs: left() * SHARE_FOR_DIALOGS }));
  const controls = await controlsToTry(tab, world, innerFrames, standard, rules);
  const opens = controls.count !== 0 || (controls.frames ?? []).length > 0;
  const hovered = await elementsToHover(world, rulesInConditions(standard, rules, ["hover"]));
  const keys = await keysToPress(world, keyboardIds.filter((id) => KEY_RULES.has(id)));
  const forms = await formsToTry(world, rulesInConditions(standard, rules, ["forms"]));
  // A page that does not answer on the desktop needs no second try.
  const opensOnPhone = phoneControls !== undefined && phoneControls > 0 && controls.count !== undefined;
  // If nothing is opened, tried or submitted, the rules about it need no run of their own.
  const idleForms = forms.count === 0 && !forms.hasMore ? forms.ruleIds : [];
  const idle = [hovered, keys].flatMap(({ count, ruleIds }) => (count === 0 ? ruleIds : [])).concat(opens ? [] : controls.ruleIds, idleForms);
  const isUsed = keyboardIds.length > 0 || hovered.count !== 0 || opens || forms.count !== 0 || opensOnPhone;
  const connection = dialog ? early : isUsed ? await cut() : undefined;
  const further = [hovered.count !== 0, opens, keys.count !== 0, forms.count !== 0].filter(Boolean).length;
  const shareToWalk = SHARES_TO_WALK[Math.min(further, SHARES_TO_WALK.length - 1)] ?? 0;
  if (!opens && controls.ruleIds.length > 0) page.gaps.unopened = controls.all;
  await walkPage(tab, connection, world, page, { ...options, ruleIds: keyboardIds.filter((id) => !KEY_RULES.has(id)), also: [...also, ...idle], isUsed: dialogs !== undefined, budgetMs: left() * shareToWalk });
  if (dialogs) await noteLeftDialogs(world, page, dialogs, keyboardIds);
  if (hovered.count !== 0) await hoverPage(tab, world, connection, hovered, page, { ...options, budgetMs: left() * SHARE_TO_HOVER });
  if (opens) await tryControls(tab, world, connection, controls, page, { ...options, budgetMs: left() * SHARE_TO_OPEN });
  const allKeys = controls.count === 0 ? keys : await withOpenedWidgets(world, keys);
  // These rules had nothing to try before something was opened.
  if (keys.count === 0 && allKeys.count !== 0) page.findings.inapplicable = page.findings.inapplicable.filter(({ ruleId }) => !keys.ruleIds.includes(ruleId));
  if (allKeys.count === 0) addPartial(page, allKeys.beyondIds);
  else await pressKeys(tab, world, connection, allKeys, page, { ...options, budgetMs: left() * SHARE_FOR_KEYS });
  if (forms.count !== 0) await tryForms(tab, world, connection, forms, page, { ...options, budgetMs: left() });
  else if (forms.hasMore) addPartial(page, forms.ruleIds);
  if (controls.count !== 0) await tryOpenedForms(tab, world, connection, forms.ruleIds, page, { ...options, budgetMs: left() });
  if (opensOnPhone) await tryPhoneControls(tab, world, connection, { seen: phoneControls, ruleIds: controls.ruleIds, formRuleIds: forms.ruleIds, keys }, page, { ...options, budgetMs: left() });
  else if (phoneControls === undefined) addPartial(page, controls.ruleIds);
  if (dialogs) addElements(page, dialogs.findings);
  if (connection) page.gaps.offline = connection.requests();
}
