import type { CaseOutcome } from "../../result/headline.ts";
import { outcomeWords } from "../facts.ts";
import { html, type Markup } from "./markup.ts";

/** The icons, drawn once in a 16 by 16 view box. The page refers to them. */
export const symbols = html`<svg class="symbols" width="0" height="0" aria-hidden="true">
<symbol id="i-passed" viewBox="0 0 16 16"><path d="M3 8.5 6.5 12 13 4.5"/></symbol>
<symbol id="i-failed" viewBox="0 0 16 16"><path d="m4 4 8 8m0-8-8 8"/></symbol>
<symbol id="i-errored" viewBox="0 0 16 16"><path d="M8 2.5v7m0 3.9v.1"/></symbol>
<symbol id="i-not-run" viewBox="0 0 16 16"><path d="M3.5 8h9"/></symbol>
<symbol id="i-chevron" viewBox="0 0 16 16"><path d="m6 3.5 4.5 4.5L6 12.5"/></symbol>
</svg>`;

/** Shows an icon. It is always next to a word with the same meaning. */
export function icon(name: CaseOutcome | "chevron", className = ""): Markup {
  return html`<svg class="icon ${className === "" ? name : className}" aria-hidden="true"><use href="#i-${name}"/></svg>`;
}

export function badge(outcome: CaseOutcome): Markup {
  return html`<span class="badge ${outcome}">${icon(outcome)}${outcomeWords[outcome]}</span>`;
}

/** Returns the icon of an element that can be opened. */
export function chevron(): Markup {
  return icon("chevron", "chevron");
}
