/** Styles for the list of cases and an opened case. */
export const caseStyle = `
.cases { margin-top: 2.25rem; }
.toolbar { display: grid; gap: 0.6rem; margin: 0.9rem 0 1rem; }
.tools { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: center; }
.filters { display: flex; flex-wrap: wrap; gap: 0.35rem; }
button, select, input { min-height: 2.25rem; padding: 0.3rem 0.75rem; border: 1px solid var(--line); border-radius: 7px; background: var(--surface); color: var(--ink); font: inherit; }
button { cursor: pointer; } button:hover, select:hover, input:hover { border-color: var(--muted); }
button[aria-pressed="true"] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); font-weight: 600; }
.search { flex: 1 1 14rem; } .search input { width: 100%; }
.sort { display: flex; gap: 0.5rem; align-items: center; }
::placeholder { color: var(--muted); opacity: 1; }
.reasons th .plain { min-height: 0; padding: 0; border: 0; border-radius: 0; background: none; color: var(--accent); font-weight: 600; text-align: left; overflow-wrap: anywhere; }
.reasons th .plain:hover { text-decoration: underline; } .reasons th .plain[aria-pressed="true"] { box-shadow: none; text-decoration: underline; }
.reasons .example { display: block; color: var(--muted); font-size: 0.875rem; overflow-wrap: anywhere; } .reasons .chart { width: 18%; }
.panel .small + .filters { margin-top: 0.75rem; } .panel h2 + .small { margin-top: 0.5rem; }
.none { padding: 2rem; border: 1px dashed var(--line); border-radius: 10px; color: var(--muted); text-align: center; }

.case-list { border: 1px solid var(--line); border-radius: 10px; background: var(--surface); }
.case { content-visibility: auto; contain-intrinsic-size: auto 3.6rem; }
.case + .case { border-top: 1px solid var(--line); }
summary { cursor: pointer; list-style: none; } summary::-webkit-details-marker { display: none; }
.chevron { color: var(--muted); transition: transform 120ms; }
details[open] > summary > .chevron { transform: rotate(90deg); }
@media (prefers-reduced-motion: reduce) { .chevron { transition: none; } }
.case > details > summary, .columns {
  display: grid; grid-template-columns: 1rem 8.5rem minmax(0, 1fr) var(--trials, 5rem) 6rem 6rem; grid-template-areas: "chevron badge name trials time cost" ". . why why why why";
  column-gap: 0.85rem; align-items: center; padding: 0.6rem 1rem;
}
.case > details > summary:hover { background: var(--sunken); }
.case:first-child > details > summary { border-radius: 9px 9px 0 0; }
.columns { padding: 0 calc(1rem + 1px) 0.35rem; color: var(--muted); font-size: 0.8125rem; }
summary > .chevron { grid-area: chevron; } summary > .badges { grid-area: badge; } summary > h3, .columns .name { grid-area: name; }
.columns .badges { grid-area: badge; }
.case h3 { font-size: 0.9375rem; font-weight: 600; }
.trials { grid-area: trials; } .time { grid-area: time; } .cost { grid-area: cost; }
.why { grid-area: why; overflow: hidden; color: var(--muted); font-size: 0.875rem; text-overflow: ellipsis; white-space: nowrap; }
.badges { display: flex; gap: 0.3rem; }
.single { --trials: 0rem; } .single .trials { display: none; }
.badge { display: inline-flex; gap: 0.3rem; align-items: center; padding: 0.08rem 0.5rem 0.08rem 0.4rem; border-radius: 999px; font-size: 0.8125rem; font-weight: 600; white-space: nowrap; }
.badge .icon { stroke-width: 2.5; }
.badge.passed { background: var(--passed-soft); color: var(--passed); } .badge.failed { background: var(--failed-soft); color: var(--failed); }
.badge.errored { background: var(--errored-soft); color: var(--errored); } .badge.not-run { background: var(--not-run-soft); color: var(--not-run); }

.body { padding: 0.35rem 1.25rem 1.5rem 2.85rem; }
.body h4 { margin: 1.35rem 0 0.5rem; font-size: 0.9375rem; } .body > h4:first-child { margin-top: 0.5rem; }
.body h4.sub { margin: 1.1rem 0 0.4rem; color: var(--muted); font-size: 0.8125rem; font-weight: 600; }
.trial, .turn { margin-top: 0.75rem; border: 1px solid var(--line); border-radius: 8px; }
.trial > summary { display: flex; flex-wrap: wrap; gap: 0.3rem 0.75rem; align-items: center; padding: 0.5rem 0.85rem; }
.trial > .inner, .turn { padding: 0 1rem 1.1rem; }
.turn > h4 { margin-top: 0.85rem; }
.card { margin-top: 0.6rem; padding: 0.7rem 0.9rem; border-left: 3px solid var(--failed-fill); border-radius: 0 8px 8px 0; background: var(--failed-soft); }
.card.errored { border-color: var(--errored-fill); background: var(--errored-soft); }
.card .kind { font-weight: 650; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 0.25rem 1rem; }
.label { display: block; margin: 0.55rem 0 0.2rem; color: var(--muted); font-size: 0.8125rem; font-weight: 600; }
.card .label { color: inherit; }
.text, .code { margin: 0; padding: 0.5rem 0.75rem; border: 1px solid var(--line); border-radius: 6px; background: var(--surface); white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
.code { background: var(--sunken); font: 0.8125rem/1.5 var(--mono); }
.card .text { background: var(--surface); }
.more > .text + .text { margin-top: 0.4rem; }
.rest > summary, .more > summary { display: inline-flex; gap: 0.4rem; align-items: center; margin-top: 0.4rem; color: var(--accent); font-size: 0.875rem; }
.more { margin-top: 0.5rem; } .more > summary { padding: 0.15rem 0; font-weight: 600; } .more > summary > .chevron { color: inherit; }
.checks li { display: flex; gap: 0.5rem; padding: 0.25rem 0; } .checks .icon { margin-top: 0.28rem; stroke-width: 2.5; }
.passed-ink { color: var(--passed); } .failed-ink { color: var(--failed); } .errored-ink { color: var(--errored); }
h3, code { unicode-bidi: isolate; }
.checks code, .call code { font: 0.875rem/1.5 var(--mono); }
.metrics tbody + tbody tr:first-child > * { border-top: 1px solid var(--line); }
.metrics td, .metrics th { border-top: 0; } .metrics .because td { padding-top: 0; }
.metrics th[scope="row"] { font-weight: 600; } .state { display: inline-flex; gap: 0.35rem; align-items: center; white-space: nowrap; }
.talk > li { margin-top: 0.6rem; padding-left: 0.85rem; border-left: 2px solid var(--line); }
.talk > li.user { border-color: var(--muted); } .talk > li.agent { border-color: var(--accent); }
.talk .label { margin-top: 0; } .call .label { display: flex; flex-wrap: wrap; gap: 0.2rem 0.75rem; align-items: center; color: var(--ink); } .call .label .muted { font-weight: 400; }
.call > .part { margin: 0.4rem 0 0.15rem; color: var(--muted); font-size: 0.8125rem; }
.reasoning .text { color: var(--muted); font-style: italic; }
.small { display: flex; flex-wrap: wrap; gap: 0.1rem 1.25rem; margin-top: 0.9rem; color: var(--muted); font-size: 0.8125rem; }
@media (max-width: 40rem) {
  .columns { display: none; }
  .case > details > summary { grid-template-columns: 1rem minmax(0, 1fr) auto auto; grid-template-areas: "chevron name name name" ". badge badge time" ". why why why"; row-gap: 0.25rem; padding: 0.7rem 0.85rem; }
  .trials, .cost { display: none; }
  .why { white-space: normal; }
  .body { padding: 0 0.85rem 1.25rem; } .trial > .inner, .turn { padding-inline: 0.75rem; }
  .sort, .sort select { flex: 1 1 auto; }
}
`;
