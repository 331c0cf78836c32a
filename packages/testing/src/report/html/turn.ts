import { counted, formatDuration } from "@bridle/protocol";
import { groundTruthsOfResult } from "../../checks/ground-truths.ts";
import type { TurnResult } from "../../result/trial-result.ts";
import { costWords, tokenWords } from "../numbers.ts";
import { chevron, icon } from "./icons.ts";
import { html, type Markup } from "./markup.ts";
import { metricsTable } from "./metrics-table.ts";
import { code, labelled, prose } from "./texts.ts";
import { transcriptList } from "./transcript.ts";

interface Place {
  readonly number: number;
  readonly of: number;
}

/** Shows the prompt, the answer and the expected answer, the scores, and the texts and calls in between. */
export function turnSection(turn: TurnResult, { number, of }: Place): Markup {
  const content = html`${asked(turn)}${answered(turn)}${expectedCalls(turn)}${metricsTable(turn.metrics)}${retrieved(turn)}${transcript(turn)}${facts(turn)}`;
  return of === 1 ? content : html`<section class="turn"><h4>Turn ${number} of ${of}</h4>${content}</section>`;
}

function asked({ input, files }: TurnResult): Markup {
  const list = files.length > 0 && html`<p class="hint">With ${counted(files.length, "file")}: ${files.join(", ")}</p>`;
  return html`<h4 class="sub">Asked</h4>${prose(input)}${list}`;
}

function answered(turn: TurnResult): Markup {
  const { answer, object } = turn;
  const expected = groundTruthsOfResult(turn).join("\nor\n");
  const given = object === null ? prose(answer) : code(object);
  if (expected === "") return html`<h4 class="sub">Answered</h4>${given}`;
  return html`<div class="pair">${labelled("Answered", given)}${labelled("Ground truth", prose(expected))}</div>`;
}

function expectedCalls({ expectedTools }: TurnResult): Markup | false {
  const items = expectedTools.map(({ expected, ok, message }) => {
    const mark = icon(ok ? "passed" : "failed", ok ? "passed-ink" : "failed-ink");
    const word = ok ? "as expected" : "not as expected";
    return html`<li>${mark}<div><code class="t">${expected}</code> <span class="muted">${word}</span>${message !== null && html`<p class="t">${message}</p>`}</div></li>`;
  });
  return items.length > 0 && html`<h4 class="sub">Expected calls</h4><ul class="checks">${items}</ul>`;
}

function retrieved({ retrievalContext }: TurnResult): Markup | false {
  return (
    retrievalContext.length > 0 &&
    more(`Retrieved (${counted(retrievalContext.length, "part")})`, html`${retrievalContext.map(prose)}`)
  );
}

function transcript({ transcript: entries }: TurnResult): Markup {
  return more(`Transcript (${counted(entries.length, "entry", "entries")})`, transcriptList(entries));
}

/** Shows a section that is closed at first. */
function more(title: string, content: Markup): Markup {
  return html`<details class="more"><summary>${chevron()}${title}</summary>${content}</details>`;
}

function facts({ model, steps, durationMs, usage, cost: spent, stopReason, runId }: TurnResult): Markup {
  const parts = [
    ...(model === null ? [] : [model]),
    counted(steps, "step"),
    formatDuration(durationMs),
    `tokens ${tokenWords(usage)}`,
    `cost ${costWords(spent)}`,
    `ended: ${stopReason ?? "not started"}`,
    ...(runId === null ? [] : [`run ${runId}`]),
  ];
  return html`<p class="small">${parts.map((fact) => html`<span>${fact}</span> `)}</p>`;
}
