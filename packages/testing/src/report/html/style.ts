/** The styles of the whole page: the colours of both themes, text, panels and charts. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --surface: #ffffff; --sunken: #f3f4f7; --line: #dde1e7; --track: #e6e9ee;
  --ink: #191c21; --muted: #565e6a; --accent: #3346c4;
  --passed: #12683a; --passed-soft: #e3f4ea; --passed-fill: #2a9a60;
  --failed: #a8211a; --failed-soft: #fdeae8; --failed-fill: #d5453a;
  --errored: #7f4c00; --errored-soft: #fdf0da; --errored-fill: #b87500;
  --not-run: #4d5561; --not-run-soft: #e9ecf0; --not-run-fill: #868e9a;
  --mono: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #101317; --surface: #181c21; --sunken: #12161a; --line: #2d333b; --track: #2a3038;
    --ink: #e8eaed; --muted: #a3abb6; --accent: #a3b4ff;
    --passed: #74d69d; --passed-soft: #14301f; --passed-fill: #35a76c;
    --failed: #ffa198; --failed-soft: #3b1917; --failed-fill: #e0584d;
    --errored: #f2c265; --errored-soft: #352706; --errored-fill: #c98a1b;
    --not-run: #b9c0ca; --not-run-soft: #292f37; --not-run-fill: #77808d;
  }
}
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink); overflow-wrap: anywhere;
  font: 0.9375rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  font-variant-numeric: tabular-nums;
}
header, main, footer { width: min(100% - 2rem, 76rem); margin-inline: auto; }
h1, h2, h3, h4, p, dl, dd, ul, ol, figure { margin: 0; padding: 0; }
h1, h2, h3, h4 { line-height: 1.25; text-wrap: pretty; }
ul, ol { list-style: none; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: 0.5rem 1rem; background: var(--surface); }
.skip:focus { top: 0.5rem; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.icon { width: 1em; height: 1em; flex: none; vertical-align: -0.125em; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.muted { color: var(--muted); }
.symbols { position: absolute; }

.top { padding: 2.5rem 0 1.75rem; }
.eyebrow { color: var(--muted); font-weight: 600; }
h1 { display: flex; gap: 0.6rem; align-items: flex-start; margin: 0.25rem 0 0.5rem; font-size: clamp(1.5rem, 1.1rem + 2vw, 2.25rem); letter-spacing: -0.02em; }
h1 .icon { margin-top: 0.13em; stroke-width: 2.25; }
h1.passed .icon { color: var(--passed-fill); } h1.failed .icon { color: var(--failed-fill); }
h1.errored .icon { color: var(--errored-fill); } h1.not-run .icon { color: var(--not-run-fill); }
.what { display: flex; flex-wrap: wrap; gap: 0.15rem 1.25rem; color: var(--muted); }
.stop { margin-top: 1rem; padding: 0.65rem 0.9rem; border-left: 3px solid var(--errored-fill); border-radius: 0 6px 6px 0; background: var(--errored-soft); }
.outcomes { display: block; width: 100%; height: 0.875rem; margin: 1.5rem 0 0.75rem; border-radius: 999px; background: var(--track); }
.legend { display: flex; flex-wrap: wrap; gap: 0.35rem 1.5rem; color: var(--muted); }
.legend li { display: flex; align-items: center; gap: 0.4rem; }
.legend strong { color: var(--ink); }
.legend .icon.passed { color: var(--passed-fill); } .legend .icon.failed { color: var(--failed-fill); }
.legend .icon.errored { color: var(--errored-fill); } .legend .icon.not-run { color: var(--not-run-fill); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); gap: 1px; margin-top: 1.5rem; overflow: hidden; border: 1px solid var(--line); border-radius: 10px; background: var(--line); }
.tiles > div { padding: 0.8rem 1rem; background: var(--surface); }
dt { color: var(--muted); font-size: 0.8125rem; }
.tiles dd { font-size: 1.1875rem; font-weight: 600; line-height: 1.35; letter-spacing: -0.01em; }
.tiles small { display: block; color: var(--muted); font-size: 0.8125rem; font-weight: 400; letter-spacing: 0; }

.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr)); gap: 1rem; }
.panel { min-width: 0; padding: 1.1rem 1.25rem 1.25rem; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); }
.panel.wide, .panels:not(:has(.half + .half)) .half { grid-column: 1 / -1; }
h2 { color: var(--ink); font-size: 1.0625rem; }
.panel h2 + * { margin-top: 0.65rem; }
.hint { color: var(--muted); font-size: 0.8125rem; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
thead th, thead td { border-top: 0; padding-top: 0; color: var(--muted); font-size: 0.8125rem; vertical-align: bottom; }
tr > :last-child { padding-right: 0; }
th[scope="row"] { min-width: 6.5rem; }
.num { text-align: right; white-space: nowrap; }
.chart { width: 34%; }
.chart .bar { margin-top: 0.35rem; }
.bar, .track { display: block; width: 100%; height: 0.75rem; overflow: visible; }
.bar rect { fill: var(--accent); } .bar .base { fill: var(--track); }
.fill-passed { fill: var(--passed-fill); } .fill-failed { fill: var(--failed-fill); }
.fill-errored { fill: var(--errored-fill); } .fill-not-run { fill: var(--not-run-fill); }
.track { height: 1.25rem; }
.track .base { stroke: var(--track); stroke-width: 6; stroke-linecap: round; }
.track .range { stroke: var(--accent); stroke-width: 1.5; } .track .spread { stroke: var(--accent); stroke-width: 6; opacity: 0.45; }
.track .mean { fill: var(--accent); stroke: var(--surface); stroke-width: 2; }
.track .need { stroke: var(--ink); stroke-width: 2; }
.gap { stroke: var(--page); stroke-width: 2; }
.beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem 3rem; align-items: start; }
.beside > * { min-width: 0; }
.curves { display: block; width: 100%; max-width: 30rem; }
.curves text { fill: var(--muted); font-size: 11px; } .curves .name { fill: var(--ink); font-size: 12px; font-weight: 600; }
.curves .grid { stroke: var(--line); } .curves polyline { fill: none; stroke: var(--accent); stroke-width: 2.5; }
.curves .all { stroke: var(--ink); stroke-dasharray: 5 4; } .curves circle { fill: var(--surface); stroke: var(--accent); stroke-width: 2; }
.curves circle.all { stroke: var(--ink); stroke-dasharray: none; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 0.75rem 1.5rem; }
footer { padding: 2rem 0 3rem; color: var(--muted); font-size: 0.8125rem; }
@media (max-width: 40rem) {
  .top { padding-top: 1.5rem; }
  .panel { padding: 1rem; }
  .tiles { grid-template-columns: 1fr 1fr; } .tiles > div:last-child:nth-child(odd) { grid-column: 1 / -1; }
  .phone-off { display: none; }
  .bars, .bars thead, .bars tbody { display: block; }
  .bars tr { display: flex; flex-wrap: wrap; gap: 0.15rem 0.75rem; padding: 0.5rem 0; border-top: 1px solid var(--line); }
  .bars thead tr { padding-top: 0; border-top: 0; } .bars thead .chart { display: none; }
  .bars th, .bars td { padding: 0; border-top: 0; } .bars th:first-child { flex: 1; } .bars th[scope="row"] { min-width: 5.25rem; } .bars .num { flex: 0 0 5.25rem; white-space: normal; }
  .bars .chart { order: 1; flex: 1 0 100%; }
}
@media print {
  :root { color-scheme: light; --page: #fff; --sunken: #fff; }
  body { font-size: 9.5pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .toolbar, .skip { display: none !important; }
  .panel, .card, .call, tr { break-inside: avoid; } .case { content-visibility: visible; } .top { padding-top: 0; }
}
`;
