import { drawnContrast } from "./color/drawn-contrast";
import { drawnContrastEnhanced } from "./color/drawn-contrast-enhanced";
import { fieldEdge } from "./color/field-edge";
import { forcedColors } from "./color/forced-colors";
import { iconContrast } from "./color/icon-contrast";
import { placeholderContrast } from "./color/placeholder-contrast";
import { emptyFieldset } from "./structure/empty-fieldset";
import { cssText } from "./structure/css-text";
import { fakeList } from "./structure/fake-list";
import { headingByLooks } from "./structure/heading-by-looks";
import { invalidDirection } from "./structure/invalid-direction";
import { oneSidedColors } from "./structure/one-sided-colors";
import { orientationMessage } from "./structure/orientation-message";
import { readingOrder } from "./structure/reading-order";
import { orientationLock } from "./structure/orientation-lock";
import { turnedDevice } from "./structure/turned-device";
import { sensoryInstruction } from "./structure/sensory-instruction";
import { sectionHeadings } from "./structure/section-headings";
import { skippedHeading } from "./structure/skipped-heading";
import { spacedLetters } from "./structure/spaced-letters";
import { unnamedLandmarks } from "./structure/unnamed-landmarks";
import { viewportTextSize } from "./structure/viewport-text-size";
import { autocomplete } from "./forms/autocomplete";
import { changeOfContext } from "./forms/change-of-context";
import { choiceLeaves } from "./forms/choice-leaves";
import { errorInText } from "./forms/error-in-text";
import { errorReference } from "./forms/error-reference";
import { errorTold } from "./forms/error-told";
import { fieldGroup } from "./forms/field-group";
import { labelInName } from "./forms/label-in-name";
import { labelPosition } from "./forms/label-position";
import { takenLabel } from "./forms/taken-label";
import { placeholderLabel } from "./forms/placeholder-label";
import { requiredUnmarked } from "./forms/required-unmarked";
import { typedTextKept } from "./forms/typed-text-kept";
import { visibleLabel } from "./forms/visible-label";
import { accessKeys } from "./keyboard/access-keys";
import { activationKeys } from "./keyboard/activation-keys";
import { compositeFocus } from "./keyboard/composite-focus";
import { hiddenFocus } from "./keyboard/hidden-focus";
import { focusRemoved } from "./keyboard/focus-removed";
import { focusVisible } from "./keyboard/focus-visible";
import { unseenFocus } from "./keyboard/unseen-focus";
import { focusAppearance } from "./keyboard/focus-appearance";
import { focusOrder } from "./keyboard/focus-order";
import { focusColorOnly } from "./keyboard/focus-color-only";
import { focusContext } from "./keyboard/focus-context";
import { focusCoveredEnhanced } from "./keyboard/focus-covered-enhanced";
import { focusCovered } from "./keyboard/focus-covered";
import { keyboardTrap } from "./keyboard/keyboard-trap";
import { mouseOnly } from "./keyboard/mouse-only";
import { scriptedControl } from "./keyboard/scripted-control";
import { singleKey } from "./keyboard/single-key";
import { skippedControl } from "./keyboard/skipped-control";
import { tabOrder } from "./keyboard/tab-order";
import { widgetKeys } from "./keyboard/widget-keys";
import { animatedImage } from "./media/animated-image";
import { autoplaySound } from "./media/autoplay-sound";
import { mediaAlternative } from "./media/media-alternative";
import { unspokenDescription } from "./media/unspoken-description";
import { movingContent } from "./media/moving-content";
import { movingSlides } from "./media/moving-slides";
import { reducedMotion } from "./media/reduced-motion";
import { frameTitle } from "./navigation/frame-title";
import { newWindow } from "./navigation/new-window";
import { linkPurpose } from "./navigation/link-purpose";
import { linkPurposeAlone } from "./navigation/link-purpose-alone";
import { pageTitle } from "./navigation/page-title";
import { sameLinks } from "./navigation/same-links";
import { skipLinkTarget } from "./navigation/skip-link-target";
import { skipLinkUse } from "./navigation/skip-link-use";
import { pageLanguage } from "./languages/page-language";
import { partLanguage } from "./languages/part-language";
import { textSpacing } from "./layout/text-spacing";
import { targetSizeEnhanced } from "./layout/target-size-enhanced";
import { zoomedText } from "./layout/zoomed-text";
import { enlargedText } from "./layout/enlarged-text";
import { roomToRead } from "./layout/room-to-read";
import { lostControl } from "./layout/lost-control";
import { narrowText } from "./layout/narrow-text";
import { sidewaysScrolling } from "./layout/sideways-scrolling";
import { dialogClose } from "./opening/dialog-close";
import { dialogFocus } from "./opening/dialog-focus";
import { expandedState } from "./opening/expanded-state";
import { focusContent } from "./opening/focus-content";
import { hoverContent } from "./opening/hover-content";
import { focusKept } from "./opening/focus-kept";
import { focusReturn } from "./opening/focus-return";
import { opensByKeyboard } from "./opening/opens-by-keyboard";
import { statusTold } from "./opening/status-told";
import { downEvent } from "./pointer/down-event";
import { dragging } from "./pointer/dragging";
import { pointerGesture } from "./pointer/pointer-gesture";
import { motionSensor } from "./pointer/motion-sensor";
import type { Condition } from "~/scan/types";
import type { PageRule } from "./page-rule";
import { emptyCaption } from "./tables/empty-caption";
import { headerPlace } from "./tables/header-place";
import { headerReference } from "./tables/header-reference";
import { headerScope } from "./tables/header-scope";
import { preformattedTable } from "./tables/preformatted-table";
import { presentationalTable } from "./tables/presentational-table";
import { tableHeaders } from "./tables/table-headers";
import { asciiArt } from "./text-alternatives/ascii-art";
import { backgroundImage } from "./text-alternatives/background-image";
import { decorativeImage } from "./text-alternatives/decorative-image";
import { imageName } from "./text-alternatives/image-name";
import { imageOfText } from "./text-alternatives/image-of-text";
import { lookAlikeLetters } from "./text-alternatives/look-alike-letters";
import { sessionTimeout } from "./timing/session-timeout";
import { timeLimit } from "./timing/time-limit";
import { timeLimitEnhanced } from "./timing/time-limit-enhanced";
import { abbreviation } from "./text/abbreviation";
import { readingEase } from "./text/reading-ease";
import { unusualWords } from "./text/unusual-words";
import { textPresentation } from "./text/text-presentation";
import { blinkingText } from "./text/blinking-text";
import { statusByItself } from "./text/status-by-itself";
import { changingText } from "./text/changing-text";

/** Version of the set of our own rules; part of every result. */
export const RULES_VERSION = "1.24.0";

/** All rules of our own that run in a page. */
export const PAGE_RULES: PageRule[] = [
  imageName,
  imageOfText,
  decorativeImage,
  backgroundImage,
  lookAlikeLetters,
  asciiArt,
  headingByLooks,
  skippedHeading,
  unnamedLandmarks,
  emptyFieldset,
  fakeList,
  cssText,
  spacedLetters,
  invalidDirection,
  orientationLock,
  orientationMessage,
  turnedDevice,
  forcedColors,
  readingOrder,
  oneSidedColors,
  viewportTextSize,
  sensoryInstruction,
  presentationalTable,
  tableHeaders,
  headerPlace,
  headerScope,
  headerReference,
  preformattedTable,
  emptyCaption,
  labelInName,
  fieldGroup,
  errorReference,
  errorInText,
  errorTold,
  typedTextKept,
  requiredUnmarked,
  placeholderLabel,
  visibleLabel,
  labelPosition,
  takenLabel,
  autocomplete,
  placeholderContrast,
  fieldEdge,
  iconContrast,
  changeOfContext,
  choiceLeaves,
  mouseOnly,
  scriptedControl,
  downEvent,
  dragging,
  pointerGesture,
  motionSensor,
  focusVisible,
  unseenFocus,
  focusRemoved,
  hiddenFocus,
  focusCovered,
  focusContext,
  focusColorOnly,
  keyboardTrap,
  focusOrder,
  skippedControl,
  compositeFocus,
  activationKeys,
  widgetKeys,
  singleKey,
  accessKeys,
  tabOrder,
  blinkingText,
  movingContent,
  movingSlides,
  changingText,
  statusByItself,
  reducedMotion,
  animatedImage,
  timeLimit,
  timeLimitEnhanced,
  sessionTimeout,
  pageTitle,
  pageLanguage,
  partLanguage,
  linkPurpose,
  linkPurposeAlone,
  sameLinks,
  frameTitle,
  skipLinkTarget,
  skipLinkUse,
  mediaAlternative,
  unspokenDescription,
  autoplaySound,
  drawnContrast,
  drawnContrastEnhanced,
  sidewaysScrolling,
  lostControl,
  roomToRead,
  textSpacing,
  zoomedText,
  narrowText,
  enlargedText,
  opensByKeyboard,
  expandedState,
  dialogFocus,
  dialogClose,
  focusReturn,
  focusKept,
  statusTold,
  hoverContent,
  focusContent,
  targetSizeEnhanced,
  focusCoveredEnhanced,
  focusAppearance,
  textPresentation,
  readingEase,
  abbreviation,
  unusualWords,
  newWindow,
  sectionHeadings,
];

/** Ids of the rules that run only in an advanced analysis. */
export const ADVANCED_RULES: ReadonlySet<string> = new Set(PAGE_RULES.flatMap(({ id, isAdvanced }) => (isAdvanced ? [id] : [])));

/** Ids of the rules that judge effects of keys after the walk through the page (`Kit.keyTrials`). */
export const KEY_RULES: ReadonlySet<string> = new Set([activationKeys, widgetKeys, singleKey, skipLinkUse, choiceLeaves, focusContent].map(({ id }) => id));

/** Ids of the rules that judge changes while an advanced analysis watched the page. */
export const WATCHED_RULES: ReadonlySet<string> = new Set(PAGE_RULES.flatMap(({ id, isWatched }) => (isWatched ? [id] : [])));

/** Condition of each rule that an advanced analysis runs in a condition of its own, by id. */
export const CONDITION_OF: ReadonlyMap<string, Condition> = new Map(
  PAGE_RULES.flatMap(({ id, condition }) => (condition ? [[id, condition] as const] : [])),
);
