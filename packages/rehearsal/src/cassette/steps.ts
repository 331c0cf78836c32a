import { isPlainObject, omitUndefined, type Usage } from "@bridle/protocol";
import type { StepInput } from "../script/schema.ts";
import type { AnswerMove, Exchange, Move, RecordedCall } from "./exchanges.ts";
import { toFinalStep } from "./final-step.ts";

type CallInput = NonNullable<StepInput["calls"]>[number];

/** The steps of a turn, and warnings about differences from the run. */
export interface Steps {
  readonly steps: readonly StepInput[];
  readonly warnings: readonly string[];
}

/** Returns the steps of a script for one message. */
export function toSteps(exchange: Exchange): Steps {
  const { moves, warnings } = withoutUnrecorded(exchange);
  const answers = moves.map((move) => (move.kind === "answer" ? toAnswer(move, exchange) : toFault(move.status)));
  const { steps, warning } = withFinalStep(mergeFaults(answers), exchange);
  return { steps, warnings: warning === undefined ? warnings : [...warnings, warning] };
}

/**
 * Leaves out answers whose object is not in the event log, with a warning. The log lacks objects that a host itself refused (Claude Code
 * 2.1.330 uses its own tool for objects).
 */
function withoutUnrecorded({ moves, operation, end }: Exchange): { moves: readonly Move[]; warnings: string[] } {
  if (operation !== "object") return { moves, warnings: [] };
  const last = moves.findLastIndex(({ kind }) => kind === "answer");
  const hasEnd = end?.result.object !== undefined || end?.result.error?.code === "structured_output";
  const kept = moves.filter((move, index) => move.kind !== "answer" || !isEmpty(move) || (hasEnd && index === last));
  const lost = moves.length - kept.length;
  const answers = lost === 1 ? "one answer that was" : `${lost} answers that were`;
  return {
    moves: kept,
    warnings: lost === 0 ? [] : [`${answers} no valid object is left out: the event log does not have its text`],
  };
}

function isEmpty({ texts, thoughts, calls }: AnswerMove): boolean {
  return texts.length + thoughts.length + calls.length === 0;
}

function toAnswer({ texts, thoughts, calls, usage, isPartial }: AnswerMove, { operation }: Exchange): StepInput {
  const text = texts.join("\n\n");
  const object = operation === "object" && !isPartial ? readObject(text) : undefined;
  const says = object === undefined && (texts.length > 0 || (thoughts.length === 0 && calls.length === 0));
  return omitUndefined({
    think: thoughts.length > 0 ? thoughts.join("\n\n") : undefined,
    say: says ? text : undefined,
    object,
    ...(object === undefined ? toCalls(calls) : {}),
    usage: usage && toUsage(usage),
    cut: isPartial ? true : undefined,
  });
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function toCalls(calls: readonly RecordedCall[]): Pick<StepInput, "call" | "with" | "with_text" | "calls"> {
  const [only, ...others] = calls.map(toCall);
  if (only === undefined) return {};
  return others.length === 0 ? only : { calls: [only, ...others] };
}

function toCall({ tool, input }: RecordedCall): CallInput {
  const raw = rawText(input);
  if (raw !== undefined) return { call: tool, with_text: raw };
  return isPlainObject(input) && Object.keys(input).length === 0 ? { call: tool } : { call: tool, with: input };
}

/** Returns arguments that are not JSON. Hosts pass such arguments on as text, and Claude Code 2.1.330 in a separate field. */
function rawText(input: unknown): string | undefined {
  const wrapped = isPlainObject(input) ? input.__unparsedToolInput : undefined;
  if (isPlainObject(wrapped) && typeof wrapped.raw === "string") return wrapped.raw;
  return typeof input === "string" && !isJson(input) ? input : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function toUsage({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): StepInput["usage"] {
  return omitUndefined({
    input: Math.round(inputTokens),
    output: Math.round(outputTokens),
    cache_read: cacheReadTokens > 0 ? Math.round(cacheReadTokens) : undefined,
    cache_write: cacheWriteTokens > 0 ? Math.round(cacheWriteTokens) : undefined,
  });
}

function toFault(status: number | undefined): StepInput {
  return status !== undefined && status >= 400 && status <= 599 ? { status } : { reset: true };
}

function isFault({ status, reset }: StepInput): boolean {
  return status !== undefined || reset === true;
}

/** Merges consecutive equal faults into one step. */
function mergeFaults(steps: readonly StepInput[]): StepInput[] {
  const merged: StepInput[] = [];
  for (const step of steps) {
    const last = merged.at(-1);
    const isSame = last !== undefined && isFault(step) && last.status === step.status && last.reset === step.reset;
    if (isSame) merged[merged.length - 1] = { ...last, times: (last.times ?? 1) + 1 };
    else merged.push(step);
  }
  return merged;
}

/** Adds the end of the run as the last step, together with the failed attempts before it. */
function withFinalStep(
  steps: readonly StepInput[],
  { end, operation }: Exchange,
): { steps: StepInput[]; warning?: string } {
  if (end === undefined) return { steps: [...steps] };
  const { result } = end;
  const code = result.error?.code;
  const fault = toFinalStep(end);
  const answered = steps.slice(0, steps.findLastIndex((step) => !isFault(step)) + 1);
  const [last, before] = [answered.at(-1), answered.slice(0, -1)];
  const isCut = last?.cut === true;
  if (code === "network" && isCut) return { steps: answered };
  if (code === "timeout" && last !== undefined && isCut)
    return { steps: [...before, { ...withoutCut(last), stall: true }] };
  if (fault !== undefined) return { steps: [...answered, fault] };
  if (code === "budget_exceeded" && last) return { steps: [...before, { ...last, stop_reason: "max_tokens" }] };
  if (code === "structured_output" && last) return { steps: [...before, lastWrongObject(last, result.error)] };
  if (operation === "object" && result.object !== undefined && last) {
    return { steps: [...before, { ...besideObject(last), object: result.object }] };
  }
  const whole = isCut && last !== undefined ? [...before, withoutCut(last)] : answered;
  return result.stopReason === "stopped"
    ? { steps: whole, warning: "the run was stopped: the text so far is played as the whole answer" }
    : { steps: whole };
}

function withoutCut({ cut: _, ...step }: StepInput): StepInput {
  return step;
}

/** Returns the fields that a step with an object may have: text and thinking, but no call. */
function besideObject({ think, say, usage }: StepInput): StepInput {
  return omitUndefined({ think, say: say || undefined, usage });
}

/** Repeats the last invalid object endlessly, because the model returned no other object. */
function lastWrongObject(step: StepInput, error: object | undefined): StepInput {
  const text: unknown = error === undefined ? undefined : Reflect.get(error, "text");
  const object = typeof text === "string" ? readObject(text) : undefined;
  return { ...(object === undefined ? step : { ...besideObject(step), object }), forever: true };
}
