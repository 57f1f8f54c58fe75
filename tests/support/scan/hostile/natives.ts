import { pageWith } from "../site";
import { checked, scripted, type HostilePages } from "./kinds";

const throwing = (names: string) => `for (const name of ${names}) window[name] = function () { throw name };`;

/** Properties of a form that a control with the same name hides. */
export const FORM_PROPERTIES = [
  ..."tagName children firstChild lastChild nextSibling".split(" "),
  ..."firstElementChild nextElementSibling previousElementSibling childElementCount".split(" "),
  ..."attributes id className shadowRoot ownerDocument isConnected localName".split(" "),
  ..."namespaceURI innerText innerHTML outerHTML dataset hidden tabIndex elements length action".split(" "),
  ..."getAttributeNames hasAttribute matches closest contains querySelector".split(" "),
  ..."querySelectorAll getElementsByTagName textContent append remove focus".split(" "),
  ..."getClientRects checkVisibility getAnimations".split(" "),
  ..."scrollIntoView scrollHeight scrollWidth clientWidth clientHeight offsetWidth offsetHeight".split(" "),
  ..."title lang dir role slot isContentEditable addEventListener submit reset".split(" "),
];

/** Similar names that single rules of axe-core cannot handle. */
const AXE_PROPERTIES = [
  ..."assignedSlot childNodes compareDocumentPosition getBoundingClientRect getRootNode nodeType".split(" "),
  ..."parentElement parentNode style".split(" "),
];

const formWith = (names: string[]) =>
  pageWith(`<form>${names.map((name) => `<input aria-label="${name}" name="${name}">`).join("")}<input id="unnamed"></form>`);

/** Native functions that an analysis needs, broken by the page's scripts. */
export const natives: HostilePages = {
  "Set, Map and their weak kin are replaced": scripted(
    throwing("['Set', 'Map', 'WeakMap', 'WeakSet', 'WeakRef']") +
      "for (const method of ['add', 'has', 'get', 'set']) Set.prototype[method] = Map.prototype[method] = () => {}"
  ),
  "Promise never resolves": scripted(
    "Promise.prototype.then = () => new Promise(() => {}); Promise.all = Promise.race = () => {}; window.Promise = class {}"
  ),
  "array methods lie": scripted(
    "for (const method of Object.getOwnPropertyNames(Array.prototype)) if (method !== 'constructor') " +
      "Array.prototype[method] = () => []; Array.from = Array.isArray = () => false"
  ),
  "every object has getters and setters that throw": scripted(
    "for (const name of ['id', 'value', 'get', 'set', 'then', 'length', 'nodes', 'result', 'tags', 'actualNode', 'toJSON']) " +
      "Object.defineProperty(Object.prototype, name, { get() { throw name }, set() { throw name }, configurable: false })"
  ),
  "JSON and Symbol.iterator are broken": scripted(
    "JSON.parse = JSON.stringify = () => { throw 1 }; delete Array.prototype[Symbol.iterator];" +
      "String.prototype[Symbol.iterator] = NodeList.prototype[Symbol.iterator] = null"
  ),
  "functions cannot be called by others": scripted(
    "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => { throw 'call' }"
  ),
  "the document finds nothing": scripted(
    "for (const method of ['querySelector', 'querySelectorAll', 'getElementById', 'getElementsByTagName', 'createElement', 'elementsFromPoint'])" +
      "Document.prototype[method] = document[method] = Element.prototype[method] = () => null"
  ),
  "nodes deny their family": scripted(
    "for (const name of ['parentNode', 'childNodes', 'nodeName', 'nodeType', 'textContent', 'ownerDocument', 'isConnected', 'firstChild'])" +
      "Object.defineProperty(Node.prototype, name, { get() { throw name } })"
  ),
  "shadow roots are faked": scripted(
    "Element.prototype.attachShadow = () => ({}); Object.defineProperty(Element.prototype, 'shadowRoot', { get: () => document })"
  ),
  "styles and boxes lie": scripted(
    "window.getComputedStyle = () => ({ display: 'none' }); Element.prototype.getBoundingClientRect = () => { throw 1 };" +
      "Element.prototype.getClientRects = Element.prototype.checkVisibility = () => []"
  ),
  "time stands still": scripted(
    "performance.now = Date.now = () => 0; window.setTimeout = window.setInterval = window.requestAnimationFrame = () => 0;" +
      "window.MutationObserver = function () { throw 1 }"
  ),
  "axe is there and cannot be replaced": scripted(
    "for (const name of ['axe', 'analyser', 'axeFunction']) " +
      "Object.defineProperty(window, name, { value: Object.freeze({ run() {} }), writable: false, configurable: false });" +
      "window.module = { exports: {} }; window.define = () => {}; window.define.amd = true"
  ),
  "stack traces are trapped": scripted(
    "Error.prepareStackTrace = () => { throw 1 }; Object.defineProperty(Error, 'stackTraceLimit', { get() { throw 1 } });" +
      "Object.defineProperty(Error.prototype, 'stack', { get() { for (;;); } })"
  ),
  "controls are named like parts of their form": {
    page: formWith(FORM_PROPERTIES),
    outcome: checked({ violations: ["image-alt #bare", "label #unnamed"] }),
  },
  "controls are named like parts of their form that axe-core needs": {
    page: formWith([...FORM_PROPERTIES, ...AXE_PROPERTIES]),
    outcome: checked({ partial: true }),
  },
  "a control takes away its form's name": {
    page: pageWith(`<form><input aria-label="Name" name="nodeName"></form>`),
    // axe-core crashes with this name on a form.
    outcome: ["crashed"],
  },
  "images are named like parts of the document": {
    page: pageWith(
      [
        ..."documentElement body head title all links images forms scripts styleSheets baseURI defaultView".split(
          " "
        ),
        ..."querySelector querySelectorAll getElementById createElement createTreeWalker elementFromPoint".split(
          " "
        ),
        ..."elementsFromPoint addEventListener nodeType nodeName childNodes activeElement location".split(
          " "
        ),
      ]
        .map((name) => `<img alt="" src="data:," name="${name}">`)
        .join("")
    ),
    outcome: checked(),
  },
};
