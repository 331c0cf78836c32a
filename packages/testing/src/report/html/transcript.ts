import { formatDuration } from "@bridle/protocol";
import type { Call, CallEntry } from "../../result/call.ts";
import type { CaseOutcome } from "../../result/headline.ts";
import { chevron, icon } from "./icons.ts";
import { html, type Markup } from "./markup.ts";
import { code, prose } from "./texts.ts";

export function transcriptList(entries: readonly CallEntry[]): Markup {
  return html`<ol class="talk">${entries.map(entryItem)}</ol>`;
}

function entryItem(entry: CallEntry): Markup {
  if (entry.kind === "call") return callItem(entry);
  const files =
    entry.kind === "user" &&
    entry.attachments.length > 0 &&
    html`<p class="hint">With ${entry.attachments.join(", ")}</p>`;
  const [className, label] = speakers[entry.kind];
  return html`<li class="${className}"><span class="label">${label}</span>${prose(entry.text)}${files}</li>`;
}

const speakers = {
  user: ["user", "User"],
  text: ["agent", "Agent"],
  reasoning: ["reasoning", "Reasoning"],
} as const;

const states: Readonly<Record<Call["state"], readonly [CaseOutcome, string]>> = {
  succeeded: ["passed", "succeeded"],
  failed: ["failed", "failed"],
  denied: ["errored", "denied"],
  unfinished: ["not-run", "not finished"],
};

function callItem({ tool, input, state, output, structured, rule, step, durationMs }: Call): Markup {
  const [outcome, word] = states[state];
  const told = [
    `step ${step}`,
    ...(durationMs === null ? [] : [formatDuration(durationMs)]),
    ...(rule === null ? [] : [`rule: ${rule}`]),
  ];
  const extra =
    structured !== undefined &&
    html`<details class="more"><summary>${chevron()}Structured result</summary>${code(structured)}</details>`;
  return html`<li class="call"><span class="label"><span>Call of <code>${tool}</code></span><span class="state ${outcome}-ink">${icon(outcome)}${word}</span><span class="muted">${told.join(", ")}</span></span>
<p class="part">Input</p>${code(input)}<p class="part">Result</p>${output === null ? html`<p class="muted">The model was told nothing.</p>` : code(output)}${extra}</li>`;
}
