import type { ScriptAnswer } from "../engine/answer.ts";
import { itemId } from "./item-ids.ts";

/** The parts of a request on which its answer depends. */
export interface ResponseOptions {
  readonly model: string;
  readonly isStored: boolean;
  /** Whether the client requested encrypted reasoning, to send it back later. */
  readonly encryptsReasoning: boolean;
}

/** A part of an answer. */
export type OutputItem =
  | {
      readonly type: "reasoning";
      readonly id: string;
      readonly summary: readonly { readonly type: "summary_text"; readonly text: string }[];
      readonly encrypted_content?: string;
    }
  | {
      readonly type: "message";
      readonly id: string;
      readonly status: string;
      readonly role: "assistant";
      readonly content: readonly OutputText[];
    }
  | {
      readonly type: "function_call";
      readonly id: string;
      readonly status: string;
      readonly call_id: string;
      readonly name: string;
      readonly arguments: string;
    }
  | {
      readonly type: "custom_tool_call";
      readonly id: string;
      readonly status: string;
      readonly call_id: string;
      readonly name: string;
      readonly input: string;
    };

export interface OutputText {
  readonly type: "output_text";
  readonly text: string;
  readonly annotations: readonly [];
  readonly logprobs: readonly [];
}

/** Returns the parts of an answer in the order in which a model writes them. */
export function toResponsesOutput(
  { id, thinking, texts, calls }: ScriptAnswer,
  options: ResponseOptions,
): OutputItem[] {
  const { isStored, encryptsReasoning } = options;
  const encrypted = encryptsReasoning ? { encrypted_content: `rehearsal-${id}` } : {};
  const reasoning = (text: string): OutputItem => ({
    type: "reasoning",
    id: itemId("rs", id, isStored),
    summary: [{ type: "summary_text", text }],
    ...encrypted,
  });
  return [
    ...(thinking === undefined ? [] : [reasoning(thinking)]),
    ...texts.map(
      (text, index): OutputItem => ({
        type: "message",
        id: itemId("msg", `${id}${index}`, isStored),
        status: "completed",
        role: "assistant",
        content: [toOutputText(text)],
      }),
    ),
    ...calls.map((call) => toCallItem(call, isStored)),
  ];
}

function toCallItem(call: ScriptAnswer["calls"][number], isStored: boolean): OutputItem {
  const { id, name, arguments: input, isCustom } = call;
  const facts = { status: "completed", call_id: `call_${id}`, name };
  if (isCustom) return { type: "custom_tool_call", id: itemId("ctc", id, isStored), ...facts, input };
  return { type: "function_call", id: itemId("fc", id, isStored), ...facts, arguments: input };
}

export function toOutputText(text: string): OutputText {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}
