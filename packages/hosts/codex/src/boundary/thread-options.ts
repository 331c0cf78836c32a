import { toStrictSchema } from "@bridle/host-shared";
import type { ConversationSpec, JsonSchema } from "@bridle/protocol";
import type { ThreadAnswer } from "../messages/messages.ts";

/** How the object is requested. */
export interface CodexObjectRequest {
  /** The schema that the host enforces. It enforces every schema strictly, so it gets only those that allow that. */
  readonly schema?: JsonSchema;
  /** The instruction for the model instead. */
  readonly instruction?: string;
}

export function objectRequest(schema: JsonSchema | undefined): CodexObjectRequest {
  if (schema === undefined) return {};
  const sent = toStrictSchema(schema);
  if (sent.strict) return { schema: sent.schema };
  return {
    instruction: `Answer with one JSON object that matches this JSON Schema. Write nothing before or after it:\n${JSON.stringify(schema)}`,
  };
}

/** The instructions, in one text. */
export function baseInstructions({ system, outputSchema }: ConversationSpec): string {
  const { instruction = "" } = objectRequest(outputSchema);
  return [system.static, system.dynamic, instruction].filter((text) => text !== "").join("\n\n");
}

/** The parameters of `thread/start`: the part of the boundary that belongs to a conversation. */
export function threadOptions(spec: ConversationSpec, workingFolder: string): Record<string, unknown> {
  return {
    model: spec.model,
    cwd: workingFolder,
    ephemeral: true, // nothing of the conversation is written to disk
    environments: [],
    approvalPolicy: "never",
    sandbox: "read-only",
    baseInstructions: baseInstructions(spec), // otherwise the model gets Codex's own
    dynamicTools: spec.tools.map(({ name, description, inputSchema }) => ({
      type: "function",
      name,
      description,
      inputSchema,
    })),
    experimentalRawEvents: true, // otherwise refused calls and added texts stay invisible
  };
}

/** The differences between the host's report of a thread and what was asked for; empty if there are none. */
export function threadDifferences(answer: ThreadAnswer, spec: ConversationSpec, provider: string): string[] {
  const { thread, model, modelProvider, instructionSources, sandbox, approvalPolicy } = answer;
  return [
    ...instructionSources.map((path) => `instructions of ${path} are loaded`),
    ...(thread.ephemeral ? [] : ["the conversation is written to disk"]),
    ...(model === spec.model ? [] : [`the model is ${model}, not ${spec.model}`]),
    ...(modelProvider === provider ? [] : [`requests go to ${modelProvider}, not to ${provider}`]),
    ...(sandbox.type === "readOnly" ? [] : [`the sandbox is ${sandbox.type}`]),
    ...(approvalPolicy === "never" ? [] : [`the approval policy is ${JSON.stringify(approvalPolicy)}`]),
  ];
}
