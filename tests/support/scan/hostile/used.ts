import type { Gaps } from "~/scan/types";
import { pageWith } from "../site";
import { QUESTIONS } from "./devices";
import { checked, type HostilePage, type HostilePages } from "./kinds";

const RULES_OF_WALK = ["rampe-focus-visible", "rampe-focus-removed", "rampe-focus-covered", "rampe-focus-context", "rampe-keyboard-trap"];
const RULES_OF_OPENING = ["rampe-opens-by-keyboard", "rampe-expanded-state"];
const RULES_OF_HOVER = ["rampe-hover-content"];
const RULES_OF_FORMS = ["rampe-error-in-text", "rampe-error-told", "rampe-required-unmarked"];

/**
 * Page that is hostile to interaction. The results of its analysis stay.
 * @param markup in the page
 * @param untried ids of rules that cannot check everything there, and must be named
 * @param gaps expected gaps
 */
const used = (markup: string, untried: string[] = [], head = "", gaps: Partial<Gaps> = {}): HostilePage => ({
  page: pageWith(markup, head),
  outcome: checked({ gaps, partial: true, untried }),
});

/** Code that runs at each of these events after the first key: before that, the browser itself moves the pointer, and a page may still send. */
const at = (events: string, code: string) =>
  `<script>{ let isUsed = false; addEventListener("keydown", () => { isUsed = true }, true); for (const type of ${JSON.stringify(events.split(" "))}) addEventListener(type, (event) => { if (isUsed) { ${code} } }, true) }</script>`;

/** Controls of most pages: to focus, open, press, hover and fill in. */
const CONTROLS = `<a href="#end">Skip to content</a><button type="button" class="menu" aria-expanded="false" onclick="menu.hidden = !menu.hidden; this.ariaExpanded = String(!menu.hidden)">Menu</button><div id="menu" hidden><p>Trains</p></div>
  <div role="button" tabindex="0" class="add">Add</div><style>#tip { display: none } #hint:hover + #tip { display: block }</style><button type="button" id="hint">Fares</button><div id="tip">All fares</div>
  <form id="form" novalidate><label>Place * <input id="place" required></label><button id="send">Show</button></form><p id="end">End</p>`;

/** Attacks on the keyboard walk. */
export const walked: HostilePages = {
  "a key handler that never ends": used(`<a href="/next">Next</a><script>addEventListener("keydown", () => { for (;;); })</script>`, RULES_OF_WALK),
  "focus that flees": used(`<button id="a">A</button><button id="b">B</button><script>a.onfocus = () => b.focus(); b.onfocus = () => a.focus()</script>`),
  "an element for each focus": used(`<button>A</button><script>addEventListener("focusin", () => document.querySelector("main").append(document.createElement("button")))</script>`),
  "10,000 elements that get the focus": used(`<script>document.querySelector("main").insertAdjacentHTML("beforeend", "<button>More</button>".repeat(10000))</script>`),
  "another document": used(`<button onfocus="document.open(); document.write('<p>Gone</p>'); document.close()">A</button>`),
  "an empty page instead": used(`<button onfocus="location = 'about:blank'">A</button>`),
  "dialogs of the browser": used(`<button onfocus="alert(1); confirm(2); prompt(3)">A</button>`),
  "full screen, print and a picker of files": used(`<input type="file" id="f" aria-label="File" onkeyup="this.click(); print(); document.documentElement.requestFullscreen()">`),
};

/** Attacks on opening. */
export const opened: HostilePages = {
  "a dialog that never closes": used(`<button type="button" onclick="d.hidden = false; y.focus()">Open</button><div id="d" role="dialog" aria-modal="true" aria-label="Stay" hidden onkeydown="event.preventDefault()"><button id="y" type="button">Stay</button></div>`),
  "menus that open menus": used(`<div id="m"></div><script>let n = 0; const more = () => { const b = document.createElement("button"); b.type = "button"; b.className = "c" + n; b.ariaExpanded = "false"; b.textContent = "Menu " + n++; b.onclick = () => { b.ariaExpanded = "true"; more(); more() }; m.append(b) }; more()</script>`),
  "a click that hangs": used(`<button type="button" aria-expanded="false" onclick="for (;;);">Open</button>`, RULES_OF_OPENING, "", { unopened: 1 }),
  "a control that goes away": used(`<button type="button" aria-expanded="false" onclick="this.parentElement.remove()">Open</button>`),
  "a control that leads away": used(`<button type="button" aria-expanded="false" onclick="location = '/out/away'">Open</button>`),
  "windows, prints, full screen and files": used(`<button type="button" aria-expanded="false" onclick="open('/out/w'); print(); alert(1); confirm(2); document.documentElement.requestFullscreen().catch(() => {}); f.click(); p.hidden = false">Open</button><input type="file" id="f" aria-label="File" hidden><p id="p" hidden>Text</p>`),
  "ten thousand controls": used(`<script>for (let n = 0; n < 10000; n++) document.write("<button type=button class=c" + n + " aria-expanded=false>" + n + "</button>")</script>`),
  "parts that move without end": used(`<style>@keyframes k { to { transform: translateX(50px) } } .o { animation: k 1s infinite alternate }</style><button type="button" aria-expanded="false" onclick="p.hidden = !p.hidden">Open</button><p id="p" class="o" hidden>Text</p>`),
  "a history of openings": used(`<button type="button" aria-expanded="false" onclick="for (let n = 0; n < 500; n++) history.pushState({}, '', '?' + n); p.hidden = false">Open</button><p id="p" hidden>Text</p>`),
};

const RULES_OF_DIALOGS = ["rampe-dialog-focus", "rampe-dialog-close"];

/** Dialog over the window that is there when the page arrives. @param attributes of the dialog */
const inFront = (content: string, attributes = "") =>
  `<a href="#a">Shop</a><a href="#b">Trains</a><a href="#c">Help</a><div id="w" style="position: fixed; inset: 0; background: #fff" role="dialog" aria-modal="true" aria-label="Cookies" ${attributes}><p>Cookies</p>${content}</div>`;
/** The browser's own dialog hides the page from the rules: its own picture takes the place of the page's. */
const WITHOUT_FIRST = `<script>document.getElementById("bare").remove()</script>`;
const CLOSE = `<button type="button" id="y" onclick="w.remove()">Close</button>`;

/** Attacks by dialogs that are there when the page arrives. */
export const atArrival: HostilePages = {
  "a dialog at arrival that never closes": used(`${inFront(CLOSE.replace("w.remove()", ""), `onkeydown="event.preventDefault()"`)}<script>y.focus()</script>`, RULES_OF_WALK),
  "the browser's own dialog at arrival that opens again": used(`<a href="#a">Shop</a><dialog id="box" aria-label="Stay" onclose="box.showModal()" oncancel="event.preventDefault()"><img id="bare" src="data:,"><button type="button" onclick="box.close()">Close</button></dialog>${WITHOUT_FIRST}<script>box.showModal()</script>`, RULES_OF_WALK),
  "a dialog at arrival that opens again a moment later": used(`${inFront(CLOSE.replace("w.remove()", "w.hidden = true; w.style.display = 'none'; setTimeout(() => { w.hidden = false; w.style.display = ''; y.focus() }, 900)"), `onkeydown="if (event.key === 'Tab') event.preventDefault()"`)}<script>y.focus()</script>`),
  "a new dialog at arrival after each one": used(`<a href="#a">Shop</a><div id="boxes"></div>${WITHOUT_FIRST}<script>let n = 0; const more = () => { const box = document.createElement("dialog"); box.ariaLabel = "Box " + n++; box.innerHTML = "<button type=button>Close</button><img id=bare src=data:,>"; box.firstChild.onclick = () => box.close(); box.onclose = () => { box.remove(); more() }; boxes.append(box); box.showModal() }; more()</script>`, RULES_OF_WALK),
  "a dialog at arrival that leads away": used(inFront(CLOSE.replace("w.remove()", "location = '/out/l'; open('/out/w'); fetch('/out/f').catch(() => {})"), `onkeydown="if (event.key === 'Escape') location = '/out/k'"`)),
  "a dialog at arrival whose button hangs": used(inFront(CLOSE.replace("w.remove()", "for (;;);")), RULES_OF_DIALOGS),
  "a dialog at arrival with a key handler that never ends": used(inFront(CLOSE, `onkeydown="for (;;);"`) + "<script>y.focus()</script>", RULES_OF_DIALOGS),
  "a dialog at arrival from which the focus flees": used(inFront(`${CLOSE}<button type="button" id="z">More</button>`) + "<script>y.onfocus = () => z.focus(); z.onfocus = () => y.focus()</script>"),
  "a dialog at arrival that grows with each focus": used(inFront(CLOSE) + `<script>addEventListener("focusin", () => y.insertAdjacentHTML("beforebegin", "<button type=button>More</button>".repeat(20)))</script>`),
  "a dialog at arrival that takes the whole page with it": used(inFront(CLOSE.replace("w.remove()", "document.documentElement.replaceChildren()"))),
  "a dialog at arrival that writes another document": used(inFront(CLOSE.replace("w.remove()", "document.open(); document.write('<p>Gone</p>'); document.close()"))),
  "a dialog at arrival with ten thousand buttons": used(inFront(`<div id="many"></div>`) + `<script>many.innerHTML = "<button type=button>Reject</button>".repeat(10000)</script>`),
  "dialogs of the browser at each key in a dialog at arrival": used(inFront(CLOSE, `onkeydown="alert(1); confirm(2); prompt(3)"`)),
};

/** Attacks on the keys of widgets, and on shortcuts. */
export const pressed: HostilePages = {
  "a handler of arrow keys that never ends": used(`<div role="slider" tabindex="0" aria-label="Volume" aria-valuenow="3" style="width: 24px; height: 24px">3</div><script>addEventListener("keydown", (event) => { if (event.key.startsWith("Arrow")) for (;;); })</script>`),
  "a widget that removes itself on each key, and comes back": used(`<div id="w"></div><script>let n = 0; const put = () => { w.innerHTML = '<ul role="listbox" aria-label="Town" tabindex="0"><li role="option">A' + n++ + '</li><li role="option">B</li></ul>'; w.firstChild.onkeydown = put }; put()</script>`),
  "a button that removes the whole page": used(`<span role="button" tabindex="0" onkeydown="document.documentElement.replaceChildren()">Close</span>`),
  "a choice that hangs": used(`<label>Town <select id="t"><option>Bonn</option><option>Kiel</option></select></label><script>t.addEventListener("change", () => { for (;;); })</script>`),
  "choices that come back, and ask for windows, dialogs and other pages": used(`<div id="w"></div><script>let n = 0; const put = () => { w.innerHTML = '<select aria-label="Town"><option>A' + n++ + '</option><option>B</option></select>'; w.firstChild.addEventListener("change", () => { put(); open("/out/w"); alert(1); location = "/out/l" }) }; put()</script>`),
  "5,000 checkboxes that scripts listen to": used(`<form id="f"></form><script>f.innerHTML = Array.from({ length: 5000 }, (_, n) => '<input type="checkbox" name="c' + n + '" aria-label="' + n + '"> ').join(""); for (const each of f.elements) each.addEventListener("change", () => f.append("!"))</script>`),
  "a focus that hangs": used(`<button type="button" onfocus="for (;;);">Fares</button>`),
  "hints in hints at the focus": used(`<div id="m"></div><script>let n = 0; const more = (where) => { const b = document.createElement("button"); b.type = "button"; b.className = "c" + n; b.textContent = "Hint " + n++; b.onfocus = () => { more(b); open("/out/w"); location = "/out/l" }; where.append(b) }; more(m)</script>`),
  "5,000 widgets": used(`<script>document.querySelector("main").insertAdjacentHTML("beforeend", Array.from({ length: 5000 }, (_, n) => '<span role="button" class="c' + n + '" tabindex="0">' + n + "</span> ").join(""))</script>`, ["rampe-widget-keys"]),
  "a click on a widget that hangs": used(`<span role="button" tabindex="0" onclick="for (;;);">Open</span>`),
  "keys that ask for windows, dialogs and other pages": used(`<span role="button" tabindex="0" onkeydown="open('/out/w'); alert(1); confirm(2); print(); location = '/out/l'">Open</span>`),
  "an element more for each key": used(`<div role="slider" tabindex="0" aria-label="Volume" aria-valuenow="3">3</div><script>addEventListener("keydown", () => { for (let n = 0; n < 2000; n++) document.querySelector("main").append(document.createElement("hr")) })</script>`),
  "a handler of letters that never ends": used(`<script>addEventListener("keydown", (event) => { if (event.key === "h") for (;;); })</script>`, ["rampe-single-key"]),
  "something new for each letter": used(`<p id="p"></p><script>addEventListener("keyup", () => { p.append(Math.random() + " "); document.body.focus() })</script>`),
  "a skip link that hangs": used(`<a href="#end" onclick="for (;;);">Skip to content</a><a href="#a">A</a><p id="end">End</p>`),
  "a skip link that removes its target": used(`<a href="#end" onclick="document.getElementById('end').remove()">Skip to content</a><a href="#a">A</a><p id="end">End</p>`),
  "focus that flees from widgets": used(`<span role="button" id="a" tabindex="0">A</span><span role="button" id="b" tabindex="0" class="b">B</span><script>a.onfocus = () => b.focus(); b.onfocus = () => a.focus()</script>`),
};

/** Attacks on the pointer. */
export const hovered: HostilePages = {
  "a handler of the pointer that never ends": used(`<button type="button" onmouseenter="for (;;);">Fares</button>`, RULES_OF_HOVER),
  "an element that flees": used(`<button type="button" id="b" onmouseenter="this.style.marginLeft = Math.random() * 500 + 'px'">Fares</button>`),
  "a page that goes away": used(`<button type="button" onmouseenter="document.documentElement.replaceChildren()">Fares</button>`),
  "an address to leave to, windows and dialogs": used(`<button type="button" onmouseenter="open('/out/w'); alert(1); location = '/out/l'">Fares</button>`),
  "hints in hints": used(`<div id="m"></div><script>let n = 0; const more = (where) => { const b = document.createElement("button"); b.type = "button"; b.className = "c" + n; b.textContent = "Hint " + n++; b.onmouseenter = () => more(b); where.append(b) }; more(m)</script>`),
  "10,000 elements that hear the pointer": used(`<script>document.querySelector("main").insertAdjacentHTML("beforeend", Array.from({ length: 10000 }, (_, n) => '<i class="c' + n + '" onmouseenter="this.textContent += 1">' + n + "</i> ").join(""))</script>`, RULES_OF_HOVER),
};

/** Form whose script runs at submission. */
const form = (code: string) => `<form id="form" novalidate><label>Place * <input id="place" required></label><input type="file" id="file" hidden><button id="button">Show</button></form><script>form.onsubmit = (event) => { event.preventDefault(); ${code} }</script>`;

/** Attacks on sending an empty form. */
export const submitted: HostilePages = {
  "a script that never ends": used(form("for (;;);"), RULES_OF_FORMS),
  "a script that comes again and again": used(form("const again = () => Promise.resolve().then(again); again()"), RULES_OF_FORMS),
  "forms that send each other": used(form("setTimeout(() => form.requestSubmit(), 0)")),
  "dialogs of the browser, one after the other": used(form("for (let n = 0; n < 50; n += 1) { alert(n); confirm(n); prompt(n) }")),
  "windows, downloads, print, full screen and a picker of files": used(form("open('/out/window'); file.click(); print(); document.documentElement.requestFullscreen(); Object.assign(document.createElement('a'), { href: '/out/file', download: 'x' }).click()")),
  "a page that does not want to be left": used(form("location = '/out/left'"), [], "<script>onbeforeunload = () => 'Stay?'</script>"),
  "another document instead": used(form("document.open(); document.write('<p>Gone</p>'); document.close()")),
  "a button that flees from the focus": used(form(""), [], "<script>addEventListener('focusin', (event) => { if (event.target.id === 'button') event.target.blur() })</script>"),
  "controls that hide what a form can do": used(`<form><label>Place * <input name="elements" required></label><input name="contains" aria-label="a"><input name="closest" aria-label="b"><input name="querySelectorAll" aria-label="c"><input name="isConnected" aria-label="d"><input name="parentElement" aria-label="e"><input name="getBoundingClientRect" aria-label="f"><button>Show</button></form>`),
  "hundreds of forms": used(`<script>document.querySelector("main").insertAdjacentHTML("beforeend", "<form onsubmit='event.preventDefault()'><label>Place * <input></label><button>Show</button></form>".repeat(300))</script>`),
};

/** Most events of interaction with a page. */
const EVERYTHING = "keydown keyup click pointerdown pointerup mouseover focusin focusout input change submit";

/** Attacks on any interaction. */
export const anyhow: HostilePages = {
  "questions to the user, at a click and at a key": used(CONTROLS + at("click keydown", `for (const ask of [${QUESTIONS.map((call) => `() => ${call}`).join()}]) { try { Promise.resolve(ask()).catch(() => {}) } catch {} }`)),
  "pickers of colours, dates and files, and the pointer locked": used(
    `${CONTROLS}<input type="color" aria-label="Colour"><input type="date" aria-label="Day"><input type="file" aria-label="File"><select aria-label="Town"><option>Aachen<option>Bonn</select>` +
      at("focusin click keydown", `try { event.target.showPicker?.() } catch {}; event.target.requestPointerLock?.(); if (event.pointerId) event.target.setPointerCapture?.(event.pointerId)`),
  ),
  "full screen and print at everything": used(CONTROLS + at(EVERYTHING, `document.documentElement.requestFullscreen().catch(() => {}); print()`)),
  "dialogs of the browser at everything": used(CONTROLS + at(EVERYTHING, `alert(event.type); confirm("Sure?"); prompt("Why?")`)),
  "downloads at everything": used(
    CONTROLS + at(EVERYTHING, `for (const href of ["/out/file", "data:text/plain,x", URL.createObjectURL(new Blob(["x".repeat(1e6)]))]) Object.assign(document.createElement("a"), { href, download: "x" }).click()`),
  ),
  "other programs at everything": used(CONTROLS + at(EVERYTHING, `for (const scheme of ["mailto:", "tel:", "ms-word:", "steam:"]) Object.assign(document.createElement("a"), { href: scheme + "x" }).click()`)),
  "history and title at everything": used(
    CONTROLS + at(EVERYTHING, `for (let n = 0; n < 50; n += 1) history.pushState({}, "", "?" + Math.random()); document.title = Math.random(); location.hash = Math.random(); history.go(-3); history.forward()`),
  ),
  "title and address that change without rest": used(`${CONTROLS}<script>setInterval(() => { document.title = Math.random(); history.replaceState({}, "", "?" + Math.random()) }, 5)</script>`),
  "animations for ever": used(
    `${CONTROLS}<script>for (const element of document.querySelectorAll("main *")) element.animate([{ transform: "translateX(0)", color: "#000" }, { transform: "translateX(9px)", color: "#333" }], { duration: 70, iterations: Infinity }); const draw = () => { form.style.marginTop = Math.random() * 9 + "px"; requestAnimationFrame(draw) }; draw()</script>`,
    [],
    "<style>* { animation: move 0.3s infinite alternate; transition: all 1s } @keyframes move { to { margin-left: 9px } }</style>",
  ),
  "focus that flees into a frame": used(`${CONTROLS}<iframe title="Inner" srcdoc="<input autofocus aria-label=In>"></iframe>${at("focusin", `frames[0].document.querySelector("input").focus()`)}`),
  "focus that goes round in timers": used(`${CONTROLS}<script>const all = [...document.querySelectorAll("a, button, input")]; let n = 0; setInterval(() => all[n++ % all.length].focus(), 3)</script>`),
  "focus that changes hands without end": used(CONTROLS + at("focusout", `queueMicrotask(() => event.target.focus())`)),
  "menus that open menus when they get the focus or the pointer": used(
    `<div id="menus"></div><script>let n = 0; const more = () => { const b = Object.assign(document.createElement("button"), { type: "button", className: "m" + n, textContent: "Menu " + n++, ariaExpanded: "false" }); b.onfocus = b.onmouseenter = () => { b.ariaExpanded = "true"; more() }; menus.append(b) }; more()</script>`,
  ),
  "dialogs that open again": used(
    `<button type="button" aria-haspopup="dialog" onclick="box.showModal()">Open</button><dialog id="box" aria-label="Stay" onclose="box.showModal()" oncancel="event.preventDefault()"><button type="button" onclick="box.close()">Close</button></dialog>`,
  ),
  "a dialog on each dialog": used(
    `<button type="button" aria-haspopup="dialog" onclick="more()">Open</button><div id="boxes"></div><script>let n = 0; const more = () => { const box = document.createElement("dialog"); box.ariaLabel = "Box " + n++; box.innerHTML = "<button type=button class=x" + n + " onclick=more() onfocus=more()>More</button>"; boxes.append(box); if (n < 500) box.showModal() }</script>`,
  ),
  "popovers that show each other": used(
    `<button type="button" popovertarget="one">Open</button><div id="one" popover ontoggle="two.togglePopover()">One</div><div id="two" popover ontoggle="one.togglePopover()">Two</div>`,
  ),
  "parts that open and close each other": used(
    `<details id="one" ontoggle="two.open = !two.open"><summary>One</summary><p>First</p></details><details id="two" class="two" ontoggle="one.open = !one.open"><summary class="two">Two</summary><p>Second</p></details>`,
  ),
  "a button that clicks itself for ever": used(`<button type="button" aria-expanded="false" id="self" onclick="setTimeout(() => self.click())">Open</button><script>const self = document.getElementById("self")</script>`),
  "keys that press keys": used(CONTROLS + at("keydown keyup keypress", `event.target.dispatchEvent(new KeyboardEvent("keydown", { key: "Tab", bubbles: true }))`)),
  "keys that nobody else hears": used(CONTROLS + at("keydown keyup keypress", `event.preventDefault(); event.stopImmediatePropagation()`)),
  "promises without end at a click": used(CONTROLS + at("click", `const again = () => Promise.resolve().then(again); again()`)),
  "a loop when the pointer moves": used(CONTROLS + at("pointermove", `for (;;);`), RULES_OF_HOVER),
  "memory at each key": used(CONTROLS + at("keydown", `(window.kept ??= []).push(new Uint8Array(5_000_000).fill(1))`)),
  "a document written by an address, at a key": used(CONTROLS + at("keydown", `location = "javascript:'<p>Gone'"`), [...RULES_OF_WALK, ...RULES_OF_OPENING, ...RULES_OF_HOVER, ...RULES_OF_FORMS]),
  "every way to another page at everything": used(
    CONTROLS + at(EVERYTHING, `for (const to of ["/out/page", "about:blank", "data:text/html,x", URL.createObjectURL(new Blob(["x"], { type: "text/html" }))]) location = to; history.back(); open("/out/self", "_self"); form.submit()`),
  ),
  "everything removed, and put back": used(CONTROLS + at("keydown click mouseover submit", `const { body } = document; body.remove(); setTimeout(() => document.documentElement.append(body), 5)`)),
};
