/** Groups of people affected by a barrier; each has a name in `locales/en/fixes.json`. */
export const PEOPLE = ["blind", "lowVision", "colorVision", "hearing", "motor", "cognitive", "everyone"] as const;
/** `everyone`: people in a limiting situation, such as sun on the screen, one free hand, no sound. */
export type People = (typeof PEOPLE)[number];

/** Kinds of barriers, each with the affected groups, the most affected first. */
export const BARRIERS = {
  aria: ["blind", "motor"],
  autocomplete: ["motor", "cognitive", "everyone"],
  autoplay: ["blind", "cognitive"],
  buttons: ["blind", "motor"],
  captions: ["hearing", "everyone"],
  color: ["colorVision", "lowVision"],
  consistency: ["cognitive", "lowVision", "blind"],
  deadLinks: ["motor", "blind", "cognitive"],
  contrast: ["lowVision", "colorVision", "everyone"],
  faintControls: ["lowVision", "colorVision", "everyone"],
  denseText: ["lowVision", "cognitive"],
  downEvents: ["motor", "lowVision", "cognitive"],
  dragging: ["motor", "blind", "cognitive"],
  duplicateIds: ["blind"],
  enlargedText: ["lowVision", "everyone"],
  errors: ["blind", "lowVision", "colorVision", "cognitive"],
  fields: ["blind", "motor", "cognitive"],
  fieldLabels: ["cognitive", "lowVision", "motor"],
  fieldTitles: ["lowVision", "motor", "cognitive", "everyone"],
  finding: ["cognitive", "lowVision", "motor"],
  focusOrder: ["motor", "blind", "lowVision"],
  frames: ["blind"],
  general: ["blind", "motor"],
  headings: ["blind", "cognitive"],
  hardText: ["cognitive", "everyone"],
  hiddenFocus: ["blind", "motor"],
  hiddenPage: ["blind"],
  identicalLinks: ["blind", "cognitive"],
  imageControls: ["blind", "motor"],
  imageMaps: ["motor", "blind"],
  images: ["blind"],
  imagesOfText: ["lowVision", "cognitive"],
  keyboard: ["motor", "blind"],
  landmarks: ["blind", "motor"],
  links: ["blind", "motor"],
  linksByColor: ["colorVision", "lowVision"],
  lists: ["blind"],
  motionSensors: ["motor", "everyone"],
  media: ["cognitive", "blind"],
  moving: ["cognitive", "lowVision"],
  narrow: ["lowVision", "motor", "everyone"],
  names: ["blind", "motor"],
  nestedControls: ["blind", "motor"],
  newWindow: ["blind", "cognitive", "lowVision"],
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
  statusMessages: ["blind", "lowVision"],
  structure: ["blind", "cognitive"],
  tables: ["blind"],
  targets: ["motor", "lowVision", "everyone"],
  textAlternatives: ["blind"],
  twice: ["blind"],
  unchecked: ["blind", "lowVision", "motor", "cognitive"],
  visibleFocus: ["motor", "lowVision", "cognitive"],
  zoom: ["lowVision", "everyone"],
} as const satisfies Record<string, readonly People[]>;

export type Barrier = keyof typeof BARRIERS;

export interface ImpactOnPeople {
  /** Key of one or two sentences under `why` in `locales/en/fixes.json`. */
  barrier: Barrier;
  /** At least one group. */
  people: readonly People[];
}
