import * as errors from "@bridle/protocol";
import {
  type AuthStatus,
  type Backend,
  type BackendFeatures,
  type Conversation,
  type ConversationSpec,
  type HistoryMessage,
  type HistoryPart,
  historyInput,
  type Message,
  messageText,
  type ToolCall,
  type ToolDeclaration,
  type ToolReply,
  type TurnContext,
  type TurnEnd,
  type Usage,
} from "@bridle/protocol";
import { findImages } from "./find-images.ts";
import type { ScriptedFailure, ScriptedModel, ScriptedStep, SentRequest } from "./scripted-model.ts";

/** The smallest backend that passes the suite. Its model is a script, and its host is this process. */
export interface MemoryBackend extends Backend {
  readonly sent: readonly SentRequest[];
}

const features: BackendFeatures = {
  structuredOutput: true,
  history: true,
  parts: ["text", "image", "file"],
  resultImages: true,
  maxOutputTokens: true,
  sampling: true,
  costBudget: true,
  builtins: {},
  promptCaching: [],
  maxResultChars: Number.POSITIVE_INFINITY,
  degraded: [],
};

let calls = 0;

/** Returns a call id that is unique in the process, as the ids of a turn context are. */
function newCallId(): string {
  calls += 1;
  return `call_${calls}`;
}

const contextWindow = 1_000_000;
const stepUsage: Usage = { inputTokens: 10, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0 };

export function createMemoryBackend(model: ScriptedModel, overrides: Partial<BackendFeatures> = {}): MemoryBackend {
  const sent: SentRequest[] = [];
  const windows = new Map<ScriptedStep, number>();
  const refused = new Set<ScriptedStep>();
  return {
    id: "memory",
    account: "memory",
    features: { ...features, ...overrides },
    sent,
    open: async (spec) => createConversation(spec, model, sent, windows, refused),
    checkAuth: async (): Promise<AuthStatus> => checkAuth(model),
    close: async () => {},
  };
}

/**
 * Creates a conversation. `windows` maps used-up windows to the time when they open again; all conversations of the account share them.
 * `refused` contains steps that failed once because the prompt was too long: in the next conversation, the step after such a step answers.
 */
function createConversation(
  spec: ConversationSpec,
  model: ScriptedModel,
  sent: SentRequest[],
  windows: Map<ScriptedStep, number>,
  refused: Set<ScriptedStep>,
): Conversation {
  const tools: ToolDeclaration[] = [...spec.tools];
  const sentMessages: HistoryMessage[] = [...spec.history];
  let turns = 0;

  async function turn(input: Message, context: TurnContext): Promise<TurnEnd> {
    sentMessages.push(input);
    const steps = stepsFor(model, messageText(input), turns);
    turns += 1;
    let used = errors.noUsage;
    let wasCut = false;
    for (let index = 0; ; index++) {
      const step = steps[index] ?? steps.findLast(({ forever }) => forever) ?? {};
      if (isOpen(step, windows) || (refused.has(step) && index + 1 < steps.length)) continue;
      const messages = [...sentMessages];
      sent.push({
        system: `${spec.system.static}${spec.system.dynamic}`,
        tools: [...tools.map(toSent), ...spec.builtins.map((name) => ({ name, description: "", inputSchema: {} }))],
        get texts() {
          return messages.flatMap(toTexts);
        },
        messages,
        images: findImages(messages),
        ...(spec.temperature !== undefined && { temperature: spec.temperature }),
      });
      if (step.fail === "usage-limit") {
        await context.awaitLimit(usedUp(step, windows));
        index -= 1; // send the same request again
        continue;
      }
      if (step.fail === "context-overflow") refused.add(step);
      if (step.fail) throw failure(step.fail);
      if (!wasCut) context.emit({ type: "step.started", model: "memory-1" });
      const calls = (step.calls ?? []).map(({ tool, input }) => ({ callId: newCallId(), tool, input }));
      respond(step, context);
      if (!step.cut) streamInputs(calls, context);
      used = errors.addUsage(used, measureStep(step));
      wasCut = step.cut ?? false;
      if (wasCut) {
        context.emit({
          type: "retry.scheduled",
          attempt: 1,
          maxAttempts: 1,
          delayMs: 0,
          reason: "The script cuts it.",
          usage: measureStep(step),
        });
        continue;
      }
      if (step.stall) await abortion(context.signal);
      context.emit({ type: "step.finished", usage: measureStep(step) });
      remember(step, calls, sentMessages);
      context.emit({ type: "host.message", raw: step });
      if (!step.calls) return end(step, used, context);
      const replies = await Promise.all(calls.map((call) => runCall(call, spec, context)));
      sentMessages.push({ role: "user", content: calls.map(({ callId }, order) => toResult(callId, replies[order])) });
      for (const { addedTool } of replies) if (addedTool) tools.push(addedTool);
      if (context.signal.aborted) throw new errors.StoppedError("The run was stopped.");
    }
  }

  return { promptContext: { implicitSources: [], hostAdds: [] }, turn, close: async () => {} };
}

function measureStep({ promptTokens = stepUsage.inputTokens }: ScriptedStep): Usage {
  return { ...stepUsage, inputTokens: promptTokens };
}

function stepsFor(model: ScriptedModel, text: string, turn: number): readonly ScriptedStep[] {
  const named = model.find(({ prompt }) => prompt !== undefined && text.includes(prompt));
  const unnamed = model.filter(({ prompt }) => prompt === undefined);
  return (named ?? unnamed[turn] ?? unnamed.at(-1))?.steps ?? [];
}

function respond({ think, say, calls, cut }: ScriptedStep, context: TurnContext): void {
  if (think !== undefined) {
    context.emit({ type: "reasoning.delta", text: think });
    context.emit({ type: "reasoning.completed", text: think });
  }
  if (say === undefined) return;
  for (const [piece] of say.matchAll(/.{1,5}/gsu)) context.emit({ type: "text.delta", text: piece });
  if (!cut || calls) context.emit({ type: "text.completed", text: say });
}

function streamInputs(calls: readonly ToolCall[], context: TurnContext): void {
  for (const { callId, tool, input } of calls) {
    for (const [text] of JSON.stringify(input ?? {}).matchAll(/.{1,9}/gsu)) {
      context.emit({ type: "input.delta", callId, tool, text });
    }
  }
}

function toSent({ name, description, inputSchema }: ToolDeclaration): SentRequest["tools"][number] {
  return { name, description, inputSchema };
}

/** Runs a call. The host's own tools only return that they ran. */
async function runCall(call: ToolCall, { builtins }: ConversationSpec, context: TurnContext): Promise<ToolReply> {
  if (!builtins.includes(call.tool)) return context.callTool(call);
  const authorization = await context.authorizeHostTool(call);
  if (!authorization.allow) return { output: authorization.reply, isError: true };
  const output = `${call.tool} of the host ran`;
  context.completeHostTool(call.callId, true, output);
  return { output, isError: false };
}

/** Returns the user's texts and the tool results. */
function toTexts({ role, content }: HistoryMessage): string[] {
  if (role === "assistant") return [];
  return content.flatMap((part) => {
    if (part.type === "tool-result") return [part.output];
    return part.type === "text" ? [part.text] : [];
  });
}

function remember({ say }: ScriptedStep, calls: readonly ToolCall[], sentMessages: HistoryMessage[]): void {
  const content: HistoryPart[] = say === undefined ? [] : [{ type: "text", text: say }];
  for (const { input, ...call } of calls) content.push({ type: "tool-call", ...call, input: historyInput(input) });
  if (content.length > 0) sentMessages.push({ role: "assistant", content });
}

function toResult(callId: string, reply: ToolReply | undefined): HistoryPart {
  const { output = "", isError = true, images } = reply ?? {};
  return { type: "tool-result", callId, output, isError, ...(images && { images }) };
}

function end({ object }: ScriptedStep, usage: Usage, context: TurnContext): TurnEnd {
  context.emit({ type: "usage.reported", usage, contextWindow });
  return object === undefined ? { reason: "natural" } : { reason: "natural", object };
}

function isOpen(step: ScriptedStep, windows: ReadonlyMap<ScriptedStep, number>): boolean {
  return (windows.get(step) ?? Number.POSITIVE_INFINITY) <= Date.now();
}

function usedUp(step: ScriptedStep, windows: Map<ScriptedStep, number>): errors.UsageLimitError {
  const { resetsInSeconds } = step;
  const opensAt = windows.get(step) ?? Date.now() + (resetsInSeconds ?? 60) * 1000;
  if (resetsInSeconds !== undefined) windows.set(step, opensAt);
  const message = "The scripted model fails: usage-limit.";
  return new errors.UsageLimitError(message, { resetsAt: new Date(opensAt), window: "five_hour" });
}

function failure(kind: Exclude<ScriptedFailure, "usage-limit">): errors.BridleError {
  const message = `The scripted model fails: ${kind}.`;
  switch (kind) {
    case "authentication":
      return new errors.AuthenticationError(message);
    case "billing":
      return new errors.BillingError(message);
    case "rate-limit":
      return new errors.RateLimitError(message);
    case "overloaded":
      return new errors.OverloadedError(message);
    case "model-not-found":
      return new errors.ModelNotFoundError(message, "memory-2", ["memory-1"]);
    case "context-overflow":
      return new errors.ContextOverflowError(message);
    case "invalid-request":
      return new errors.InvalidRequestError(message);
    case "connection-lost":
      return new errors.NetworkError(message);
  }
}

function checkAuth(model: ScriptedModel): AuthStatus {
  const refused = model[0]?.steps[0]?.fail === "authentication";
  return {
    ok: !refused,
    mode: "none",
    detail: refused ? "The scripted model refuses the login." : "No login is needed.",
  };
}

function abortion(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new errors.StoppedError("The run was stopped.")), { once: true });
  });
}
