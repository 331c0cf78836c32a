import { isDeepStrictEqual } from "node:util";
import { toStrictSchema } from "@bridle/host-shared";
import type { ConversationSpec, JsonSchema } from "@bridle/protocol";
import type { ThreadAnswer } from "../messages/messages.ts";
import { patchSandbox } from "./opened-tools.ts";

/** How the object is requested. */
export interface CodexObjectRequest {
  /** The schema that the host enforces. The host enforces every schema strictly, so it gets only schemas for which that is possible. */
  readonly schema?: JsonSchema;
  /** The instruction that the model gets if the host cannot enforce the schema. */
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

/** Returns the instructions as one string. */
export function baseInstructions({ system, outputSchema }: ConversationSpec): string {
  const { instruction = "" } = objectRequest(outputSchema);
  return [system.static, system.dynamic, instruction].filter((text) => text !== "").join("\n\n");
}

/**
 * Returns the parameters of `thread/start`: the part of the boundary that belongs to a conversation. The folder for patches is passed as an
 * environment, because Codex would load settings from a working folder.
 */
export function threadOptions(
  spec: ConversationSpec,
  workingFolder: string,
  patchFolder: string | undefined,
): Record<string, unknown> {
  return {
    model: spec.model,
    cwd: workingFolder,
    ephemeral: true, // nothing of the conversation is written to disk
    ...toolOptions(patchFolder),
    baseInstructions: baseInstructions(spec), // otherwise the model gets Codex's own instructions
    dynamicTools: spec.tools.map(({ name, description, inputSchema }) => ({
      type: "function",
      name,
      description,
      inputSchema,
    })),
    experimentalRawEvents: true, // otherwise refused calls and added text stay invisible
  };
}

/** Returns the options for patches. With `untrusted`, Codex asks before each patch. */
function toolOptions(folder: string | undefined) {
  if (folder === undefined) return { environments: [], approvalPolicy: "never", sandbox: "read-only" };
  const environments = [{ environmentId: "local", cwd: folder }];
  return { environments, approvalPolicy: "untrusted", sandbox: "workspace-write" };
}

/** Returns the differences between the host's report of a thread and the requested options. Empty if they are equal. */
export function threadDifferences(
  answer: ThreadAnswer,
  spec: ConversationSpec,
  { provider, patchFolder }: { provider: string; patchFolder: string | undefined },
): string[] {
  const expected = patchFolder === undefined ? { type: "readOnly" } : patchSandbox(patchFolder);
  const asks = patchFolder === undefined ? "never" : "untrusted";
  const { thread, model, modelProvider, instructionSources, sandbox, approvalPolicy } = answer;
  return [
    ...instructionSources.map((path) => `instructions of ${path} are loaded`),
    ...(thread.ephemeral ? [] : ["the conversation is written to disk"]),
    ...(model === spec.model ? [] : [`the model is ${model}, not ${spec.model}`]),
    ...(modelProvider === provider ? [] : [`requests go to ${modelProvider}, not to ${provider}`]),
    ...(isDeepStrictEqual(sandbox, { ...sandbox, ...expected }) ? [] : [`the sandbox is ${JSON.stringify(sandbox)}`]),
    ...(approvalPolicy === asks ? [] : [`the approval policy is ${JSON.stringify(approvalPolicy)}`]),
  ];
}
