/** Reads the arguments of a tool call before the engine gets it, and repairs arguments that do not match the schema. */
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { isTooDeep, omitUndefined, parseNestedJson, type ToolCall, type ToolDeclaration } from "@bridle/protocol";
import { toLanguageModelTool } from "../prompt/messages.ts";
import type { StepResponse, WrittenCall } from "../response/step-reader.ts";
import { type CallCheck, checkFor, isEmpty, readArguments, repairPrompt, unwrapJson } from "./check-call.ts";

/** Requests one more response from the model; `undefined` if that fails. */
type RequestRepair = (request: LanguageModelV4CallOptions) => Promise<StepResponse | undefined>;

export interface RepairOptions {
  /** The declaration of the called tool, if there is one. */
  declaration: ToolDeclaration | undefined;
  request: RequestRepair;
  /** Called with a sentence for the event log if the call was repaired. */
  onRepair(message: string): void;
}

/** Repairs a call. Rejects only if the turn is stopped. A call that cannot be repaired is returned as the model wrote it. */
export async function repairCall(call: WrittenCall, options: RepairOptions): Promise<ToolCall> {
  const { callId, streamId, tool, text } = call;
  const { declaration, onRepair } = options;
  const given = readArguments(text);
  const check = declaration && checkFor(declaration.inputSchema);
  const withInput = (input: unknown): ToolCall => ({ callId, tool, input, ...omitUndefined({ streamId }) });
  if (isTooDeep(parseNestedJson(text))) return withInput(given); // the tool executor denies the call with the reason
  if (!declaration || !check) return withInput(given);
  const plain = parseOnce(text);
  if (check(plain).fits) return withInput(plain);
  const unwrapped = unwrapJson(given, declaration.inputSchema);
  const checked = check(unwrapped);
  if (checked.fits) {
    onRepair(`The arguments of a call to ${tool} were JSON inside a string. Bridle parsed the string.`);
    return withInput(unwrapped);
  }
  const prompt = repairPrompt(declaration, text, checked.problems);
  const repaired = await requestCall(declaration, prompt, check, options.request);
  if (repaired === undefined) return withInput(given);
  onRepair(`The arguments of a call to ${tool} did not match its schema. The model corrected them when asked again.`);
  return withInput(repaired);
}

async function requestCall(
  declaration: ToolDeclaration,
  prompt: string,
  check: CallCheck,
  request: RequestRepair,
): Promise<unknown> {
  const response = await request({
    prompt: [{ role: "user", content: [{ type: "text", text: prompt }] }],
    tools: [toLanguageModelTool(declaration)],
    toolChoice: { type: "tool", toolName: declaration.name },
  });
  const call = response?.calls.find(({ tool }) => tool === declaration.name);
  if (call === undefined) return undefined;
  const input = unwrapJson(readArguments(call.text), declaration.inputSchema);
  return check(input).fits ? input : undefined;
}

function parseOnce(text: string): unknown {
  try {
    return isEmpty(text) ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}
