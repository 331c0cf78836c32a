import { formatCount } from "@bridle/protocol";
import { divide, readable } from "../plain-text.ts";
import { chevron } from "./icons.ts";
import { html, type Markup } from "./markup.ts";

/** How many characters of a string are visible at first, and how many the page contains. */
const [atOnce, atMost] = [1200, 20_000];

/** Shows a text of a user or model, with its lines. */
export function prose(text: string): Markup {
  return long(text, "text");
}

/** Shows data of programs. */
export function code(value: unknown): Markup {
  return long(readable(value), "code");
}

export function labelled(label: string, content: Markup): Markup {
  return html`<div><span class="label">${label}</span>${content}</div>`;
}

function long(text: string, kind: "text" | "code"): Markup {
  if (text === "") return html`<p class="muted">(nothing)</p>`;
  if (text.length <= atOnce) return block(text, kind);
  const [first, rest] = divide(text, atOnce / 2);
  const [second, left] = divide(rest, atMost);
  const note =
    left !== "" && html`<p class="hint">${formatCount(left.length)} more characters are in the JSON report.</p>`;
  return html`${block(first, kind)}<details class="rest"><summary>${chevron()}Show the other ${formatCount(rest.length)} characters</summary>${block(second, kind)}${note}</details>`;
}

function block(text: string, kind: "text" | "code"): Markup {
  return html`<div class="${kind} t" dir="auto">${text}</div>`;
}
