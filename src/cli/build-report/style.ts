// The style sheet of the report; it looks like the explorer.

/** Inlined into the page, which loads nothing. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --sheet: #fff; --sunk: #eeebe4; --ink: #21252b; --dim: #5d6470; --rule: #e4e0d8;
  --accent: #0f6a63; --second: #c08a2d; --third: #b3261e; --warn: #8a5a00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181b; --sheet: #1b1f23; --sunk: #2a3036; --ink: #e4e6e8; --dim: #a0a8b2; --rule: #2e343a;
    --accent: #64c8bc; --second: #d9a95a; --third: #ff8a80; --warn: #e7b75f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 24px 16px 48px; max-width: 980px; background: var(--paper); color: var(--ink);
  font: 15px/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  -webkit-text-size-adjust: 100%;
}
h1 { margin: 0; font-size: 24px; line-height: 1.25; }
h2 { margin: 0 0 4px; font-size: 17px; }
p { margin: 0 0 12px; }
code { font: 13px/1.45 ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
.dim { color: var(--dim); }
header p { color: var(--dim); }
section { margin-top: 16px; padding: 16px; background: var(--sheet); border: 1px solid var(--rule); border-radius: 8px; }
section > p { color: var(--dim); }
section > p:last-child { margin: 0; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 16px 0 0; }
.tiles div { padding: 12px 16px; background: var(--sheet); border: 1px solid var(--rule); border-radius: 8px; }
.tiles dt { color: var(--dim); font-size: 13px; }
.tiles dd { margin: 0; font-size: 22px; font-variant-numeric: tabular-nums; }
.tiles small { display: block; color: var(--dim); font-size: 13px; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { color: var(--dim); font-weight: 500; font-size: 13px; text-align: start; }
tbody td, tbody th { padding: 6px 12px 6px 0; border-top: 1px solid var(--rule); vertical-align: middle; }
tbody th { color: var(--ink); font-weight: 400; font-size: 15px; }
thead th { padding: 0 12px 4px 0; }
tr > :last-child { padding-inline-end: 0; }
.gap { margin-top: 16px; }
.figure { text-align: end; white-space: nowrap; }
.plot { width: 40%; }
tbody small { display: block; color: var(--dim); font-size: 13px; line-height: 1.35; }
svg { display: block; }
.bar { width: 100%; height: 12px; border-radius: 3px; }
.rail { fill: var(--sunk); }
.fill, .part-0 { fill: var(--accent); }
.part-1 { fill: var(--second); }
.part-2 { fill: var(--third); }
.shares { width: 100%; height: 20px; border-radius: 4px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 8px 0 0; padding: 0; list-style: none; }
.legend li { display: flex; align-items: center; gap: 6px; }
.swatch { width: 12px; height: 12px; border-radius: 3px; }
.scatter { width: 100%; height: auto; margin-bottom: 12px; }
.scatter text { fill: var(--dim); font-size: 11px; }
.scatter .grid { stroke: var(--rule); }
.scatter circle { r: 2.5px; fill: var(--accent); fill-opacity: 0.5; }
.scatter circle:hover { fill: var(--third); fill-opacity: 1; }
footer { margin-top: 24px; color: var(--dim); font-size: 13px; }
@media (min-width: 640px) {
  .scatter text { font-size: 5.5px; }
  .scatter circle { r: 1.6px; }
}
@media (max-width: 639px) {
  .plot { width: 26%; }
  tbody td, tbody th { padding-inline-end: 8px; }
  .wide { display: none; }
}
@media print {
  body { background: none; }
  section { break-inside: avoid; }
}
`
