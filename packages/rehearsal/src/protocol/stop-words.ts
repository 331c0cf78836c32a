import type { ScriptAnswer } from "../engine/answer.ts";

/** The reasons why a model stops, independent of the protocol. */
type Meaning = "stop" | "calls" | "length" | "refused";

/** A protocol's names for each reason. The first is the default. */
export type StopWords = Readonly<Record<Meaning, readonly [string, ...string[]]>>;

const meanings: Readonly<Record<Meaning, readonly string[]>> = {
  stop: ["stop", "end_turn", "stop_sequence", "completed"],
  calls: ["tool_use", "tool_calls", "tool-calls", "function_call"],
  length: ["length", "max_tokens", "max_output_tokens", "model_context_window_exceeded"],
  refused: ["refusal", "content_filter", "content-filter"],
};

/**
 * Returns a protocol's name for the reason why the answer ends. A script may use the names of any protocol. An unknown name stays
 * unchanged.
 */
export function toStopWord({ stopReason, calls }: ScriptAnswer, words: StopWords): string {
  const reason = stopReason ?? (calls.length > 0 ? "tool_use" : "end_turn");
  if (Object.values(words).some((own) => own.includes(reason))) return reason;
  const [meaning] = everyMeaning.filter((each) => meanings[each].includes(reason));
  return meaning === undefined ? reason : words[meaning][0];
}

const everyMeaning: readonly Meaning[] = ["stop", "calls", "length", "refused"];
