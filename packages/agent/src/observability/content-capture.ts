/** Adds prompts and answers to the spans of runs, if the agent file enables it. */
import type { EventOf, RunEvent } from "@bridle/protocol";
import type { Span, SpanProcessor } from "@opentelemetry/sdk-trace";

export interface ContentCapture {
  /** Registers the spans of runs when they start. */
  readonly processor: SpanProcessor;
  /** Adds the content of an event. The caller has to pass the events of a run in their order. */
  onEvent(event: RunEvent): void;
}

/** Creates the capture. Passes every string through `redact` before adding it to a span. */
export function createContentCapture(redact: (text: string) => string): ContentCapture {
  const spans = new Map<string, Span>();
  const answers = new Map<string, string[]>();

  function put(runId: string, name: string, text: string): void {
    spans.get(runId)?.setAttribute(name, redact(text));
  }

  return {
    processor: {
      onStart(span) {
        const runId = span.attributes["bridle.run.id"];
        if (typeof runId === "string") spans.set(runId, span);
      },
      onEnd(span) {
        const runId = String(span.attributes["bridle.run.id"]);
        spans.delete(runId);
        answers.delete(runId);
      },
      forceFlush: async () => {},
      shutdown: async () => {},
    },
    onEvent(event) {
      const { runId } = event;
      if (event.type === "model.input") {
        put(runId, "gen_ai.input.messages", event.messages.map(textOf).join("\n\n"));
      }
      if (event.type === "text.completed") {
        const texts = [...(answers.get(runId) ?? []), event.text];
        if (spans.has(runId)) answers.set(runId, texts);
        put(runId, "gen_ai.output.messages", texts.join("\n\n"));
      }
    },
  };
}

/** Returns the text of a message, without images and files. */
function textOf({ content }: EventOf<"model.input">["messages"][number]): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}
