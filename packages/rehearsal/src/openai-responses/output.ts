import type { ScriptAnswer } from "../engine/answer.ts";
import { itemId } from "./item-ids.ts";

/** The parts of a request that its answer depends on. */
export interface ResponseOptions {
  readonly model: string;
  readonly isStored: boolean;
  /** Whether the client requested encrypted reasoning, which it can send back. */
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
    };

export interface OutputText {
  readonly type: "output_text";
  readonly text: string;
  readonly annotations: readonly [];
  readonly logprobs: readonly [];
}

/** The parts of an answer in the order of a model. */
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
    ...calls.map(
      (call): OutputItem => ({
        type: "function_call",
        id: itemId("fc", call.id, isStored),
        status: "completed",
        call_id: `call_${call.id}`,
        name: call.name,
        arguments: call.arguments,
      }),
    ),
  ];
}

export function toOutputText(text: string): OutputText {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}
