import {
  type AnyTool,
  type DescribedInput,
  getErrorMessage,
  isDescribed,
  isPlainObject,
  preview,
  type ToolContext,
  type ToolOutput,
  toJson,
} from "@bridle/protocol";
import { z } from "zod";
import { runInTime } from "../system/run-in-time.ts";
import { startTimer } from "../time/timer.ts";
import { badInput, describeIssues } from "./tool-replies.ts";

const defaultTimeoutMs = 600_000;

/** A check that takes longer is aborted: a pattern such as `^(a+)+$` in a schema can take years. */
const checkMs = 2000;

export type ParsedInput = { ok: true; input: Record<string, unknown> } | { ok: false; reply: string };

/** Validates the model's input with the tool's schema. */
export async function parseInput(tool: AnyTool, input: unknown): Promise<ParsedInput> {
  try {
    const { name, input: schema } = tool;
    return isDescribed(schema) ? parseDescribed(name, schema, input ?? {}) : await parseZod(name, schema, input ?? {});
  } catch (error) {
    return { ok: false, reply: `The input of ${tool.name} could not be checked: ${getErrorMessage(error)}` };
  }
}

async function parseZod(name: string, schema: z.ZodObject, input: unknown): Promise<ParsedInput> {
  const parsed = await checkInTime(() => z.safeParseAsync(schema, input, { reportInput: true }));
  if (parsed.success) return { ok: true, input: parsed.data };
  return { ok: false, reply: badInput(name, describeIssues(parsed.error)) };
}

/** What a schema does after it has waited for something is not limited. */
function checkInTime<T>(check: () => T): T {
  const checked = runInTime(check, checkMs);
  if (checked !== undefined) return checked.value;
  throw new Error("a pattern of its schema takes too long on this input. Send a shorter or simpler value.");
}

function parseDescribed(name: string, described: DescribedInput, input: unknown): ParsedInput {
  const problems = isPlainObject(input)
    ? checkInTime(() => described.problems(input))
    : ["(input): has to be an object"];
  if (isPlainObject(input) && problems.length === 0) return { ok: true, input };
  return { ok: false, reply: badInput(name, problems) };
}

/**
 * Runs a tool until it answers, its time is up or the run ends, whichever is first. Rejects with a sentence for the
 * model. The tool's signal is aborted in the last two cases; what it returns after that is dropped.
 */
export async function executeTool(
  tool: AnyTool,
  input: Record<string, unknown>,
  context: ToolContext,
): Promise<ToolOutput> {
  const limitMs = tool.timeoutMs ?? defaultTimeoutMs;
  const late = new AbortController();
  const lateReason = `The tool ${tool.name} gave no result within ${limitMs / 1000} s and was given up.`;
  const callOff = startTimer(limitMs, () => late.abort(new Error(lateReason)));
  const signal = AbortSignal.any([context.signal, late.signal]);
  try {
    signal.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
    const work = (async () => tool.execute(input, { ...context, signal }))();
    return toOutput(tool, await Promise.race([work, aborted.promise]));
  } finally {
    callOff();
  }
}

function toOutput(tool: AnyTool, value: unknown): ToolOutput {
  if (typeof value === "string") return { markdown: value };
  if (isPlainObject(value) && typeof value.markdown === "string") {
    return { markdown: value.markdown, structured: copyStructured(tool, value.structured) };
  }
  throw new Error(
    `The tool ${tool.name} returned ${preview(value)}. A tool returns a string, or { markdown, structured }: ` +
      "put what the model should read into markdown.",
  );
}

/** Logged data must be JSON, and must not change after the tool has returned. */
function copyStructured(tool: AnyTool, structured: unknown): unknown {
  if (structured === undefined) return undefined;
  try {
    return toJson(structured);
  } catch (error) {
    throw new Error(`The tool ${tool.name} returned as structured what JSON cannot hold: ${getErrorMessage(error)}.`);
  }
}
