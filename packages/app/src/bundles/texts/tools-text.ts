import type { TextSink } from "../archive/spool-file.ts";
import type { CallFacts } from "./call-facts.ts";
import { codeBlock, inline, quote, quoteJson } from "./code-fence.ts";
import { formatDecisions, formatOffset, formatOutcome } from "./run-words.ts";
import { Sections } from "./sections.ts";

/** Writes each tool call in full as Markdown: input, decisions and result. */
export class ToolsText {
  readonly #sink: TextSink;
  readonly #sections: Sections;
  #runId: string | undefined;

  constructor(sink: TextSink) {
    this.#sink = sink;
    this.#sections = new Sections(sink);
  }

  add(runId: string, call: CallFacts): void {
    if (runId !== this.#runId) this.#sections.begin(runId);
    this.#runId = runId;
    this.#sections.add(formatCall(call));
  }

  end(): void {
    this.#sections.end();
    if (this.#sections.count === 0) this.#sink.add("No tool was called.\n");
  }
}

function formatCall(call: CallFacts): string {
  const { tool, callId, atMs, input, approvals, progress, finished, denied } = call;
  const edited = approvals.findLast((answer) => answer.input !== undefined)?.input;
  const parts = [
    `## ${inline(tool)} (${inline(callId)}) at ${formatOffset(atMs)}: ${call.outcome}`,
    `Input:\n\n${quoteJson(input)}`,
    ...(edited === undefined ? [] : [`Input as a person edited it:\n\n${quoteJson(edited)}`]),
    inline(`Decision: ${formatDecisions(call)}`),
    ...(progress.length === 0 ? [] : [`Progress:\n\n${progress.map(quote).join("\n>\n")}`]),
    finished || denied !== undefined
      ? `Result for the model:\n\n${quote(codeBlock(finished?.output ?? denied ?? ""))}`
      : inline(`It ${formatOutcome(call)}.`),
    ...(finished?.structured === undefined ? [] : [`Structured result:\n\n${quoteJson(finished.structured)}`]),
    ...(finished?.artifact === undefined ? [] : [`The whole result: artifacts/${inline(finished.artifact)}`]),
    ...(finished ? [`It took ${finished.durationMs} ms.`] : []),
  ];
  return parts.join("\n\n");
}
