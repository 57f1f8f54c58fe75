/** Groups of people affected by a barrier; each has a name in `locales/en/fixes.json`. */
export const PEOPLE = ["blind", "lowVision", "colorVision", "hearing", "motor", "cognitive", "everyone"] as const;
/** `everyone`: people in a limiting situation, such as sun on the screen, one free hand, no sound. */
export type People = (typeof PEOPLE)[number];

/** Kinds of barriers, each with the affected groups, the most affected first. */
const BARRIERS = {
  aria: ["blind", "motor"],
  autocomplete: ["motor", "cognitive", "everyone"],
  autoplay: ["blind", "cognitive"],
  buttons: ["blind", "motor"],
  captions: ["hearing", "everyone"],
  color: ["colorVision", "lowVision"],
  contrast: ["lowVision", "colorVision", "everyone"],
  duplicateIds: ["blind"],
  fields: ["blind", "motor", "cognitive"],
  fieldTitles: ["lowVision", "motor", "cognitive", "everyone"],
  focusOrder: ["motor", "blind", "lowVision"],
  frames: ["blind"],
  general: ["blind", "motor"],
  headings: ["blind", "cognitive"],
  hiddenFocus: ["blind", "motor"],
  hiddenPage: ["blind"],
  identicalLinks: ["blind", "cognitive"],
  imageControls: ["blind", "motor"],
  imageMaps: ["motor", "blind"],
  images: ["blind"],
  keyboard: ["motor", "blind"],
  landmarks: ["blind", "motor"],
  links: ["blind", "motor"],
  linksByColor: ["colorVision", "lowVision"],
  lists: ["blind"],
  media: ["cognitive", "blind"],
  moving: ["cognitive", "lowVision"],
  names: ["blind", "motor"],
  nestedControls: ["blind", "motor"],
  orientation: ["motor", "lowVision", "everyone"],
  pageLanguage: ["blind", "cognitive"],
  pageTitle: ["blind", "cognitive"],
  partLanguage: ["blind", "cognitive"],
  refresh: ["cognitive", "blind", "motor"],
  scrolling: ["motor", "blind"],
  sensory: ["lowVision", "motor"],
  severalLabels: ["blind"],
  shortcuts: ["motor", "blind"],
  skipping: ["motor", "blind"],
  spacing: ["lowVision", "cognitive"],
  spokenNames: ["motor", "cognitive"],
  structure: ["blind", "cognitive"],
  tables: ["blind"],
  targets: ["motor", "lowVision", "everyone"],
  textAlternatives: ["blind"],
  twice: ["blind"],
  unchecked: ["blind", "lowVision", "motor", "cognitive"],
  zoom: ["lowVision", "everyone"],
} as const satisfies Record<string, readonly People[]>;

export type Barrier = keyof typeof BARRIERS;

/** Rules with a more specific barrier than their category, by axe-core's id. */
const BY_RULE: Partial<Record<string, Barrier>> = {
  accesskeys: "shortcuts",
  "area-alt": "imageControls",
  "aria-command-name": "buttons",
  "aria-dialog-name": "names",
  "aria-hidden-body": "hiddenPage",
  "aria-hidden-focus": "hiddenFocus",
  "aria-input-field-name": "fields",
  "aria-meter-name": "names",
  "aria-progressbar-name": "names",
  "aria-tab-name": "names",
  "aria-toggle-field-name": "fields",
  "aria-tooltip-name": "names",
  "aria-treeitem-name": "names",
  "audio-caption": "captions",
  "autocomplete-valid": "autocomplete",
  "avoid-inline-spacing": "spacing",
  blink: "moving",
  "button-name": "buttons",
  bypass: "skipping",
  "color-contrast": "contrast",
  "color-contrast-enhanced": "contrast",
  "css-orientation-lock": "orientation",
  "definition-list": "lists",
  dlitem: "lists",
  "document-title": "pageTitle",
  "empty-heading": "headings",
  "empty-table-header": "tables",
  "focus-order-semantics": "focusOrder",
  "form-field-multiple-labels": "severalLabels",
  "frame-focusable-content": "keyboard",
  "frame-tested": "unchecked",
  "frame-title": "frames",
  "frame-title-unique": "frames",
  "heading-order": "headings",
  "hidden-content": "unchecked",
  "identical-links-same-purpose": "identicalLinks",
  "image-alt": "images",
  "image-redundant-alt": "twice",
  "input-button-name": "buttons",
  "input-image-alt": "imageControls",
  "label-content-name-mismatch": "spokenNames",
  "label-title-only": "fieldTitles",
  "landmark-banner-is-top-level": "landmarks",
  "landmark-complementary-is-top-level": "landmarks",
  "landmark-contentinfo-is-top-level": "landmarks",
  "landmark-main-is-top-level": "landmarks",
  "landmark-no-duplicate-banner": "landmarks",
  "landmark-no-duplicate-contentinfo": "landmarks",
  "landmark-no-duplicate-main": "landmarks",
  "landmark-one-main": "landmarks",
  "landmark-unique": "landmarks",
  "link-in-text-block": "linksByColor",
  "link-name": "links",
  list: "lists",
  listitem: "lists",
  marquee: "moving",
  "meta-refresh": "refresh",
  "meta-refresh-no-exceptions": "refresh",
  "meta-viewport": "zoom",
  "meta-viewport-large": "zoom",
  "nested-interactive": "nestedControls",
  "no-autoplay-audio": "autoplay",
  "object-alt": "images",
  "p-as-heading": "headings",
  "page-has-heading-one": "headings",
  region: "landmarks",
  "role-img-alt": "images",
  "scrollable-region-focusable": "scrolling",
  "server-side-image-map": "imageMaps",
  "skip-link": "skipping",
  "summary-name": "buttons",
  "svg-img-alt": "images",
  tabindex: "focusOrder",
  "table-duplicate-name": "twice",
  "target-size": "targets",
  "valid-lang": "partLanguage",
  "video-caption": "captions",
};

/** All other rules, by axe-core's tag of their category. */
const BY_CATEGORY: Partial<Record<string, Barrier>> = {
  "cat.aria": "aria",
  "cat.color": "color",
  "cat.forms": "fields",
  "cat.keyboard": "keyboard",
  "cat.language": "pageLanguage",
  "cat.name-role-value": "names",
  "cat.parsing": "duplicateIds",
  "cat.semantics": "structure",
  "cat.sensory-and-visual-cues": "sensory",
  "cat.structure": "structure",
  "cat.tables": "tables",
  "cat.text-alternatives": "textAlternatives",
  "cat.time-and-media": "media",
};

export interface ImpactOnPeople {
  /** Key of one or two sentences in `locales/en/fixes.json`, under `why`. */
  barrier: Barrier;
  /** At least one. */
  people: readonly People[];
}

/** Barrier and affected groups of a rule; for an unknown rule by its category, otherwise a general barrier. */
export function impactOnPeople(ruleId: string, tags: string[]): ImpactOnPeople {
  const [category] = tags.flatMap((tag) => own(BY_CATEGORY, tag) ?? []);
  const barrier = own(BY_RULE, ruleId) ?? category ?? "general";
  return { barrier, people: BARRIERS[barrier] };
}

// Own properties only: ids and tags come from stored results (`constructor`).
function own(barriers: Partial<Record<string, Barrier>>, key: string): Barrier | undefined {
  return Object.hasOwn(barriers, key) ? barriers[key] : undefined;
}
