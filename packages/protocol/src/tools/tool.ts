import type { z } from "zod";
import type { Logger } from "../logger.ts";
import type { JsonSchema } from "../text/json.ts";

/** What a tool promises about itself. A missing annotation promises nothing. */
export interface ToolAnnotations {
  /** Changes nothing: calls may run side by side. */
  readOnly?: boolean;
  /** May remove or overwrite what cannot be brought back. */
  destructive?: boolean;
  /** A second call with the same input changes nothing more. */
  idempotent?: boolean;
  /** Reaches beyond this machine and its data. */
  openWorld?: boolean;
}

/** `markdown` is what the model sees; `structured` goes to the record and to callers, never to the model. */
export interface ToolOutput {
  markdown: string;
  structured?: unknown;
}

export interface ToolContext {
  /** Aborted when the run stops, ends or the tool's time is up. */
  signal: AbortSignal;
  runId: string;
  sessionId?: string;
  callId: string;
  projectDir: string;
  logger: Logger;
  /** Adds a `tool.progress` event to the run. */
  progress(message: string): void;
}

/**
 * An input that is described elsewhere, such as by an MCP server: the model is shown the JSON Schema as it is, whatever
 * Zod could say of it.
 */
export interface DescribedInput {
  /** Its type is `object`. */
  readonly jsonSchema: JsonSchema;
  /**
   * What is wrong with an input, a sentence for each problem, which the model is told; none where it fits.
   * Contract: changes nothing, and does not throw for any JSON value.
   */
  problems(input: unknown): readonly string[];
}

export type ToolInput = z.ZodObject | DescribedInput;

export function isDescribed(input: ToolInput): input is DescribedInput {
  return "jsonSchema" in input;
}

/** What `execute` is given. */
export type InputOf<I extends ToolInput> = I extends z.ZodObject ? z.output<I> : Record<string, unknown>;

export interface ToolDescriptor<I extends ToolInput = ToolInput> {
  name: string;
  description: string;
  input: I;
  annotations?: ToolAnnotations;
  /** Longer results are kept whole as an artifact and cut for the model. Default 40,000 characters. */
  maxResultChars?: number;
  /** After this many milliseconds a call is given up. Default 600,000. */
  timeoutMs?: number;
  /**
   * What a call would do, for a person who is asked whether it may run: a diff, the statement. Plain text.
   * Contract: changes nothing, and takes under five seconds; what it throws is shown in its place.
   */
  preview?(input: InputOf<I>, context: Pick<ToolContext, "signal" | "projectDir">): string | Promise<string>;
  /**
   * Contract: return a string or `{ markdown, structured? }`; throw to tell the model that the call failed.
   * Observe `context.signal`; a result that comes after it was aborted is dropped.
   */
  execute(input: InputOf<I>, context: ToolContext): Promise<ToolOutput | string>;
}

/** A tool of any input, as a toolbox holds it. */
export type AnyTool = ToolDescriptor<ToolInput>;

/**
 * Declares a tool; the input's type flows into `execute`.
 *
 * @example
 * defineTool({
 *   name: "lookup_order",
 *   description: "Find one order by its number.",
 *   input: z.object({ id: z.string() }),
 *   annotations: { readOnly: true },
 *   execute: async ({ id }) => `Order ${id} has shipped.`,
 * })
 */
export function defineTool<I extends ToolInput>(tool: ToolDescriptor<I>): ToolDescriptor<I> {
  return tool;
}
