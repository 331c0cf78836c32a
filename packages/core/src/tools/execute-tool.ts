import {
  type AnyTool,
  assertDepth,
  type DescribedInput,
  getErrorMessage,
  isDescribed,
  isPlainObject,
  type JsonValue,
  parseNestedJson,
  preview,
  type StandardSchema,
  type ToolContext,
  type ToolImage,
  type ToolOutput,
  toJson,
} from "@bridle/protocol";
import { runInTime } from "../async/run-in-time.ts";
import { checkMs, checkValue } from "../schemas/check-value.ts";
import { createRunClock, type RunClock } from "../time/run-clock.ts";
import { maxStoredChars } from "./cut-results.ts";
import { isLargerThan } from "./json-size.ts";
import { readImages } from "./result-images.ts";
import { badInput, describeProblems } from "./tool-replies.ts";

const defaultTimeoutMs = 600_000;

/** The output of a tool, with data that the log can hold. */
interface ExecutedOutput extends ToolOutput {
  /** Whether the tool returned more data than is stored. */
  readonly isStructuredLost?: boolean;
}

export type ParsedInput = { ok: true; input: Record<string, unknown> } | { ok: false; reply: string };

export interface InputCopies {
  recorded: JsonValue;
  given: JsonValue;
  /** Why the input is not JSON. The log then has a preview of the input. */
  problem?: string;
}

/** Makes one copy of an input for the log and one for the tool, so that a change to one copy does not affect the other. */
export function copyInput(input: unknown): InputCopies {
  try {
    if (typeof input === "string") assertDepth(parseNestedJson(input)); // some hosts pass nested arguments as a string
    return { recorded: toJson(input), given: toJson(input) };
  } catch (error) {
    return { recorded: preview(input), given: null, problem: getErrorMessage(error) };
  }
}

/** Validates the model's input with the tool's schema. */
export async function parseInput(tool: AnyTool, input: unknown): Promise<ParsedInput> {
  try {
    const { name, input: schema } = tool;
    return isDescribed(schema) ? parseDescribed(name, schema, input ?? {}) : await parse(name, schema, input ?? {});
  } catch (error) {
    return { ok: false, reply: `The input of ${tool.name} could not be checked: ${getErrorMessage(error)}` };
  }
}

async function parse(
  name: string,
  schema: StandardSchema<Record<string, unknown>>,
  input: unknown,
): Promise<ParsedInput> {
  const checked = valueInTime(await checkValue(schema, input));
  if (checked.ok) return { ok: true, input: checked.value };
  return { ok: false, reply: badInput(name, describeProblems(checked.problems)) };
}

function valueInTime<T>(checked: T | undefined): T {
  if (checked !== undefined) return checked;
  throw new Error("a pattern of its schema takes too long on this input. Send a shorter or simpler value.");
}

function parseDescribed(name: string, described: DescribedInput, input: unknown): ParsedInput {
  const problems = isPlainObject(input)
    ? valueInTime(runInTime(() => described.problems(input), checkMs)).value
    : ["(input): has to be an object"];
  if (isPlainObject(input) && problems.length === 0) return { ok: true, input };
  return { ok: false, reply: badInput(name, problems) };
}

/**
 * Runs a tool until it answers, its time is up or the run ends, whichever is first. Rejects with a sentence for the model. In the last two
 * cases, aborts the tool's signal and drops a later result. The time limit pauses while the tool waits for the user's answer.
 */
export async function executeTool(
  tool: AnyTool,
  input: Record<string, unknown>,
  context: ToolContext,
): Promise<ExecutedOutput> {
  const limitMs = tool.timeoutMs ?? defaultTimeoutMs;
  const late = new AbortController();
  const lateReason = `The tool ${tool.name} gave no result within ${limitMs / 1000} s and was given up.`;
  const clock = createRunClock(limitMs, () => late.abort(new Error(lateReason)));
  clock.go();
  const signal = AbortSignal.any([context.signal, late.signal]);
  try {
    signal.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
    const work = (async () => tool.execute(input, { ...context, signal, ...pausing(clock, context) }))();
    return toOutput(tool, await Promise.race([work, aborted.promise]));
  } finally {
    clock.end();
  }
}

/** Returns an `authorize` that stops the clock while the user is asked. */
function pausing(clock: Pick<RunClock, "hold">, { authorize }: ToolContext): Pick<ToolContext, "authorize"> {
  if (authorize === undefined) return {};
  return {
    async authorize(action) {
      const release = clock.hold();
      try {
        return await authorize(action);
      } finally {
        release();
      }
    },
  };
}

function toOutput(tool: AnyTool, value: unknown): ExecutedOutput {
  if (typeof value === "string") return { markdown: value };
  if (isPlainObject(value) && typeof value.markdown === "string") {
    const { markdown, structured } = value;
    const shown = { markdown, images: imagesOf(tool, value.images), isError: value.isError === true };
    if (isLargerThan(structured, maxStoredChars)) return { ...shown, isStructuredLost: true };
    return { ...shown, structured: copyStructured(tool, structured) };
  }
  throw new Error(
    `The tool ${tool.name} returned ${preview(value)}. A tool returns a string, or { markdown, images, structured }: ` +
      "put the text for the model into markdown.",
  );
}

function imagesOf(tool: AnyTool, images: unknown): readonly ToolImage[] {
  try {
    return readImages(images);
  } catch (error) {
    throw new Error(`The tool ${tool.name} returned invalid images: ${getErrorMessage(error)}.`);
  }
}

/** Copies data for the log, because logged data must be JSON and must not change after the tool has returned. */
function copyStructured(tool: AnyTool, structured: unknown): unknown {
  if (structured === undefined) return undefined;
  try {
    return toJson(structured);
  } catch (error) {
    throw new Error(`The tool ${tool.name} returned structured data that JSON cannot hold: ${getErrorMessage(error)}.`);
  }
}
