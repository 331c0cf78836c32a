import { toMatcher } from "./pattern.ts";
import { leavesAnswer } from "./rules.ts";
import type { ScriptFields, StepFields, TurnFields } from "./schema.ts";
import type { Act, Chunks, Content, Limit, Script, ScriptCall, ScriptTurn, ScriptUsage, Step, When } from "./script.ts";

/** Converts the checked fields of a file to a script that the engine can play. */
export function normalise(fields: ScriptFields, file: string): Script {
  return { file, turns: fields.turns.map(toTurn), models: fields.models, judges: fields.judges };
}

function toTurn(fields: TurnFields, index: number): ScriptTurn {
  const number = index + 1;
  return {
    number,
    label: `turn ${number}${describeWhen(fields.when)}`,
    when: toWhen(fields.when),
    steps: fields.steps.map((step, place) => toStep(step, place, place === fields.steps.length - 1)),
  };
}

function describeWhen(when: TurnFields["when"] = {}): string {
  const conditions = Object.entries(when).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return conditions.length === 0 ? "" : ` (when ${conditions.join(" and ")})`;
}

function toWhen(when: TurnFields["when"] = {}): When {
  const { user, system, message, step, tool } = when;
  const optionalMatcher = (pattern: string | undefined) => (pattern === undefined ? undefined : toMatcher(pattern));
  return { user: optionalMatcher(user), system: optionalMatcher(system), message, step, tool };
}

function toStep(fields: StepFields, index: number, isLast: boolean): Step {
  return {
    number: index + 1,
    times: timesOf(fields, isLast),
    act: toAct(fields),
    delayMs: fields.delay_ms ?? 0,
    headers: fields.headers ?? {},
    limit: fields.limit && toLimit(fields.limit),
  };
}

/** Returns how often a step repeats. A fault at the end of a turn repeats endlessly, because no step follows. */
function timesOf(fields: StepFields, isLast: boolean): number {
  if (fields.forever === true) return Number.POSITIVE_INFINITY;
  if (fields.times !== undefined) return fields.times;
  return isLast && !leavesAnswer(fields) ? Number.POSITIVE_INFINITY : 1;
}

function toAct(fields: StepFields): Act {
  if (fields.reset === true) return { kind: "reset" };
  if (fields.html === true) return { kind: "page", status: fields.status ?? 502 };
  const ending = fields.cut === true ? "cut" : fields.stall === true ? "stall" : "whole";
  if (ending === "whole" && !leavesAnswer(fields)) return toRefusal(fields);
  const delivery = { chunkMs: fields.chunk_ms ?? 0, chunks: toChunks(fields) };
  return { kind: "answer", content: toContent(fields), delivery, ending };
}

function toRefusal({ status, error_type, message }: StepFields): Act {
  return {
    kind: "refuse",
    status: status ?? 429,
    errorType: error_type,
    message,
  };
}

function toContent(fields: StepFields): Content {
  return {
    think: fields.think,
    say: fields.say,
    calls: toCalls(fields),
    object: fields.object === undefined ? undefined : { value: fields.object },
    oversizedBytes: fields.oversized_bytes,
    dimensions: fields.dimensions,
    stopReason: fields.stop_reason,
    usage: toUsage(fields.usage),
  };
}

function toCalls({ call, with: input, with_text, custom, calls = [] }: StepFields): ScriptCall[] {
  const own = call === undefined ? [] : [{ call, with: input, with_text, custom }];
  return [...own, ...calls].map((each) => ({
    tool: each.call,
    input: each.with_text === undefined ? { value: each.with ?? {} } : { raw: each.with_text },
    isCustom: each.custom,
  }));
}

function toUsage({
  input = 10,
  output = 5,
  reasoning = 0,
  cache_read = 0,
  cache_write = 0,
}: StepFields["usage"] = {}): ScriptUsage {
  return { input, output, reasoning, cacheRead: cache_read, cacheWrite: cache_write };
}

function toChunks({ chunk_bytes, split_utf8 }: StepFields): Chunks {
  return split_utf8 === true ? "inside-characters" : (chunk_bytes ?? "events");
}

function toLimit({ resets_in_seconds, window, status, utilization }: NonNullable<StepFields["limit"]>): Limit {
  return { resetsInSeconds: resets_in_seconds, window, status, utilization };
}
