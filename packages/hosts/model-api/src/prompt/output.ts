/** How an object is asked for. */
import type { JSONSchema7, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { ConversationSpec, JsonSchema } from "@bridle/protocol";
import type { Wiring } from "../wiring/index.ts";
import { toStrictSchema } from "./output-schema.ts";

export interface Output {
  format?: NonNullable<LanguageModelV4CallOptions["responseFormat"]>;
  /** What the model is told, where the host has nothing of its own for it. */
  instruction?: string;
  /** The schema is one that the host can hold the model to. */
  strict: boolean;
  /** Keywords that the host does not take. */
  dropped: readonly string[];
}

/** For the record of what reached the model beside the caller's words. */
export const instructionAdds = "an instruction to answer with JSON that fits the schema";

export function describeOutput(schema: JsonSchema, form: ReturnType<Wiring["schemaForm"]>): Output {
  if (form === "words") return { instruction: instruct(schema), strict: false, dropped: [] };
  const sent = form === "openai" ? toStrictSchema(schema) : { schema, strict: true, dropped: [] };
  return {
    format: { type: "json", schema: sent.schema as JSONSchema7, name: "answer" },
    strict: sent.strict,
    dropped: sent.dropped,
  };
}

function instruct(schema: JsonSchema): string {
  return `Answer with one JSON object that fits this JSON Schema, and with nothing before or after it:\n${JSON.stringify(schema)}`;
}

/** The instructions of the caller, with one more at their end. */
export function withInstruction(
  system: ConversationSpec["system"],
  instruction: string | undefined,
): ConversationSpec["system"] {
  if (instruction === undefined) return system;
  return { ...system, dynamic: [system.dynamic, instruction].filter((text) => text !== "").join("\n\n") };
}
