/** Style sheet of all pages. Contrast: text 7:1 or more, edges of controls 3:1 or more. */
export const STYLESHEET = `
:root {
  color-scheme: light dark;
  --ground: #fbfaf6;
  --raised: #ffffff;
  --text: #14211f;
  --soft: #3f4d49;
  --line: #6b746f;
  --brand: #0a4a4f;
  --on-brand: #ffffff;
  --notice: #fbf2cd;
  --error: #8c1021;
  --error-ground: #fce8ea;
}
@supports (color: light-dark(#fff, #000)) {
  :root {
    --ground: light-dark(#fbfaf6, #0f1716);
    --raised: light-dark(#ffffff, #172322);
    --text: light-dark(#14211f, #ecf3f0);
    --soft: light-dark(#3f4d49, #bccac5);
    --line: light-dark(#6b746f, #8c9d98);
    --brand: light-dark(#0a4a4f, #8adcd4);
    --on-brand: light-dark(#ffffff, #04201f);
    --notice: light-dark(#fbf2cd, #332a08);
    --error: light-dark(#8c1021, #ffb3ba);
    --error-ground: light-dark(#fce8ea, #421119);
  }
}
:root.light { color-scheme: light; }
:root.dark { color-scheme: dark; }
*, ::before, ::after { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font: 400 1.0625rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: break-word;
}
header, main { max-width: 42rem; margin: 0 auto; padding: 1rem; }
header p { margin: 0; font-weight: 700; color: var(--soft); }
h1 { font-size: clamp(1.6rem, 1.3rem + 1.4vw, 2.2rem); line-height: 1.2; margin: 0 0 1rem; hyphens: auto; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 2rem 0 0.5rem; }
h3 { font-size: 1.1rem; margin: 1.5rem 0 0.5rem; }
p, ul, dl { margin: 0 0 1rem; }
ul { padding-left: 1.25rem; }
a { color: var(--brand); text-underline-offset: 0.18em; }
p.links { margin-top: 0.75rem; }
nav a, .links a { display: inline-flex; align-items: center; min-height: 2.75rem; }
.notice, .done, .errors { border: 2px solid var(--line); border-radius: 0.5rem; padding: 1rem; margin-bottom: 1.5rem; }
.notice { background: var(--notice); }
.done { background: var(--raised); }
.errors { background: var(--error-ground); border-color: var(--error); }
.notice h2, .errors h2 { margin-top: 0; }
.notice p, .done p, .errors ul { margin-bottom: 0; }
.errors ul { list-style: none; padding: 0; }
.errors a { color: var(--error); display: flex; align-items: center; min-height: 2.75rem; }
.fact { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: 0.25rem 0; }
.fact dd { margin: 0 0 0 auto; text-align: right; }
.fact.total { font-weight: 700; border-top: 1px solid var(--line); margin-top: 0.25rem; padding-top: 0.5rem; }
.field { margin-bottom: 1.25rem; }
.field label { display: block; font-weight: 700; }
.hint { margin: 0 0 0.25rem; color: var(--soft); }
.wrong { margin: 0 0 0.25rem; color: var(--error); font-weight: 700; }
input, select, button { font: inherit; color: inherit; }
input, select {
  width: 100%;
  min-height: 2.75rem;
  padding: 0.5rem 0.75rem;
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: 0.375rem;
}
input[aria-invalid="true"] { border: 2px solid var(--error); }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 0 0 1rem; }
button {
  min-height: 2.75rem;
  padding: 0.5rem 1.25rem;
  border: 2px solid var(--brand);
  border-radius: 0.375rem;
  background: transparent;
  color: var(--brand);
  font-weight: 700;
  cursor: pointer;
}
button.main { background: var(--brand); color: var(--on-brand); }
:focus-visible { outline: 3px solid var(--text); outline-offset: 3px; border-radius: 3px; }
code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: nowrap; }
@media (forced-colors: active) { button.main { border-width: 4px; } }
`.trimStart();
