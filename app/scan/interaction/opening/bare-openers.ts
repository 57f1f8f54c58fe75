import type { ElementListeners } from "~/scan/rules/rampe/listeners/keep-listeners";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { OpeningGlobals } from "./opening-log";
import { findControls } from "./ready-control";

/** Maximum number of used openers without any markup for keys: others of the page often do the same. */
const MOST_BARE = 2;

/**
 * Finds controls that may open something, at last those that only a pointer can use. Needs `defineSight`.
 * @param most maximum number of controls
 * @param mostAlike maximum number of controls of one kind
 * @param areUnusual only controls that are not visible in the usual condition (`rememberShown`)
 * @returns number of kept controls, of all, and of those for a pointer alone, which are the last of the kept ones
 */
export async function findOpeners(world: IsolatedWorld, most: number, mostAlike: number, areUnusual = false): Promise<{ kept: number; all: number; bare: number }> {
  const { kept, all } = await world.call(findControls, most, mostAlike, areUnusual);
  const { added, found } = await world.call(addBareOpeners, Math.min(MOST_BARE, most - kept), areUnusual);
  return { kept: kept + added, all: all + found, bare: added };
}

/**
 * Adds elements to the controls that react to clicks, although neither their markup nor the keyboard knows them, such as a `div` with
 * three lines for a menu. It runs inside the page, in an isolated world, after `findControls`; it is sent as source text.
 * @param most maximum number of them
 * @param areUnusual same as for `findControls`
 * @returns number of added ones, and of all that are added or sound like openers
 */
function addBareOpeners(most: number, areUnusual: boolean): { added: number; found: number } {
  const { rampeOpenings: state, rampeSight: sight, rampeDom: dom, rampeListeners: listeners } = globalThis as unknown as OpeningGlobals & ElementListeners;
  if (!state) return { added: 0, found: 0 };
  const [least, mostWidth, mostHeight, longest] = [8, 320, 120, 60];
  const acting = "a[href], button, input, select, textarea, summary, label, option, details, iframe, object, embed, video, audio, dialog, [tabindex], [contenteditable]";
  const holders = "html, body, main, form, ul, ol, dl, table, tbody, tr, nav, section, article, header, footer, aside, fieldset";
  const others = /close|dismiss|schlie(ß|ss)|prev|next|zurück|weiter|slick|swiper|carousel|slide|(^|[-_ ])dots?([-_ ]|$)|play|pause|mute|like|print|delete|remove|lösch|entfern|^[x×✕✖✗]$/i;
  const menu = /men(u|ü)|burger|(^|[-_ ])nav(bar|igation)?([-_ ]|$)/i;
  const opening = /toggle|open|drop|accordion|expand|collaps|more|mehr|search|such|lang|sprach|log-?in|anmeld|account|konto|filter|popup|modal/i;
  const [shown, drawn] = [sight.look(), new Set(sight.drawn())];
  const candidates = [...listening()].filter(isBare);
  const innermost = candidates.filter((each) => !candidates.some((other) => other !== each && dom.contains(each, other)));
  const likely = [menu, opening].flatMap((words) => innermost.filter((each) => words.test(wordsOf(each))));
  const kinds = new Set<string>();
  let [added, found] = [0, 0];
  for (const control of new Set([...likely, ...innermost])) {
    const kind = `${dom.localName(control)} ${dom.attribute(control, "class") ?? ""}`;
    if (kinds.has(kind)) continue;
    kinds.add(kind);
    if (added < most || likely.includes(control)) found += 1;
    if (added >= most) continue;
    state.controls.push(control as HTMLElement);
    state.bare.add(control);
    added += 1;
  }
  return { added, found };

  function listening(): Set<Element> {
    const isPress = (type: string) => /^(click|mousedown|mouseup|pointerdown|pointerup)$/.test(type);
    const scripted = [...(listeners ?? [])].flatMap(([node, types]) => (node instanceof Element && types.some(isPress) ? [node] : []));
    const attributed = [...document.querySelectorAll("[onclick], [onmousedown], [onpointerdown]")];
    // What a script creates only in the condition is not among the known listeners.
    const named = areUnusual ? [...document.querySelectorAll("span, div, svg, i, img, a:not([href])")].filter((each) => menu.test(wordsOf(each)) && getComputedStyle(each).cursor === "pointer") : [];
    return new Set([...scripted, ...attributed, ...named]);
  }

  function isBare(element: Element): boolean {
    if (!element.isConnected) return false;
    if (dom.localName(element).includes("-") || dom.matches(element, `${acting}, ${holders}, [role]:not([role=img], [role=presentation], [role=none]), [aria-disabled=true]`)) return false;
    if (dom.closest(element, `a[href], button, label, summary, select, form, [tabindex], [aria-hidden=true], [inert]`) || dom.first(element, acting)) return false;
    if (!shown.has(element) && !dom.inside(element, "*").some((each) => shown.has(each)) && !drawn.has(element)) return false;
    if (state?.isUsual(element) === true) return false;
    const { width, height } = dom.box(element);
    if (width < least || height < least || width > mostWidth || height > mostHeight) return false;
    const words = wordsOf(element);
    if (others.test(words) || dom.text(element).trim().length > longest) return false;
    return getComputedStyle(element).cursor === "pointer" || menu.test(words);
  }

  function wordsOf(element: Element): string {
    return [...["class", "id", "aria-label", "title", "alt", "onclick"].map((name) => dom.attribute(element, name) ?? ""), dom.text(element).trim()].join(" ");
  }
}
