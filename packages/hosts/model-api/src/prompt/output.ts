/** Requests an object instead of text. */
import type { JSONSchema7, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { toStrictSchema } from "@bridle/host-shared";
import type { ConversationSpec, JsonSchema } from "@bridle/protocol";
import type { Wiring } from "../wiring/index.ts";

export interface ObjectOutput {
  format?: NonNullable<LanguageModelV4CallOptions["responseFormat"]> | undefined;
  /** The instruction for the model, if the host has no structured output. */
  instruction?: string | undefined;
  /** Whether the host can enforce the schema. */
  strict: boolean;
  /** Keywords of the schema that the host does not accept. */
  dropped: readonly string[];
}

/** The description, for the event log, of text that Bridle adds to the prompt. */
export const instructionAdds = "an instruction to answer with JSON that matches the schema";

export function describeOutput(schema: JsonSchema, form: ReturnType<Wiring["schemaForm"]>): ObjectOutput {
  if (form === "words") return { instruction: instruct(schema), strict: false, dropped: [] };
  const sent = form === "openai" ? toStrictSchema(schema) : { schema, strict: true, dropped: [] };
  return {
    format: { type: "json", schema: sent.schema as JSONSchema7, name: "answer" },
    strict: sent.strict,
    dropped: sent.dropped,
  };
}

function instruct(schema: JsonSchema): string {
  return `Answer with one JSON object that matches this JSON Schema. Write nothing before or after it:\n${JSON.stringify(schema)}`;
}

/** Returns the caller's system prompt, followed by the instruction. */
export function withInstruction(
  system: ConversationSpec["system"],
  instruction: string | undefined,
): ConversationSpec["system"] {
  if (instruction === undefined) return system;
  return { ...system, dynamic: [system.dynamic, instruction].filter((text) => text !== "").join("\n\n") };
}
