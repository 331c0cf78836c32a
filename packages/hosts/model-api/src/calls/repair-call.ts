/** Calls of one response on their way to the gate: read, and mended where they do not fit. */
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { ToolCall, ToolDeclaration } from "@bridle/protocol";
import { toTool } from "../prompt/messages.ts";
import type { StepResponse, WrittenCall } from "../response/step-reader.ts";
import { type Check, checkOf, isNothing, mendPrompt, readArguments, unwrapJson } from "./check-call.ts";

/** Asks the model for one call, or gives undefined where no answer comes. */
type AskAgain = (request: LanguageModelV4CallOptions) => Promise<StepResponse | undefined>;

export interface MendOptions {
  find(tool: string): ToolDeclaration | undefined;
  ask: AskAgain;
  /** Tells how a call was mended. */
  tell(message: string): void;
}

/** Never rejects but when the turn is stopped; a call that cannot be mended comes back as the model wrote it. */
export async function mendCall(call: WrittenCall, { find, ask, tell }: MendOptions): Promise<ToolCall> {
  const { callId, tool, text } = call;
  const given = readArguments(text);
  const declaration = find(tool);
  const check = declaration && checkOf(declaration.inputSchema);
  const made = (input: unknown): ToolCall => ({ callId, tool, input });
  if (!declaration || !check) return made(given);
  const plain = parseOnce(text);
  if (check(plain).fits) return made(plain);
  const unwrapped = unwrapJson(given, declaration.inputSchema);
  const checked = check(unwrapped);
  if (checked.fits) {
    tell(`The arguments of a call of ${tool} came as JSON inside of a string, and were read.`);
    return made(unwrapped);
  }
  const mended = await askForCall(declaration, mendPrompt(declaration, text, checked.problems), check, ask);
  if (mended === undefined) return made(given);
  tell(`The arguments of a call of ${tool} did not fit, and the model mended them when it was asked again.`);
  return made(mended);
}

async function askForCall(declaration: ToolDeclaration, prompt: string, check: Check, ask: AskAgain): Promise<unknown> {
  const response = await ask({
    prompt: [{ role: "user", content: [{ type: "text", text: prompt }] }],
    tools: [toTool(declaration)],
    toolChoice: { type: "tool", toolName: declaration.name },
  });
  const again = response?.calls.find(({ tool }) => tool === declaration.name);
  if (again === undefined) return undefined;
  const input = unwrapJson(readArguments(again.text), declaration.inputSchema);
  return check(input).fits ? input : undefined;
}

function parseOnce(text: string): unknown {
  try {
    return isNothing(text) ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}
