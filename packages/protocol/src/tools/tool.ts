import { z } from "zod";
import { ToolSchemaError } from "../errors/errors.ts";
import { declaredAnnotationsSchema } from "../events/declared-annotations.ts";
import type { Logger } from "../logger.ts";
import { given, type OptionsShape, optionsCheck } from "../schemas/options-schema.ts";
import type { OutputOf, StandardSchema } from "../schemas/standard-schema.ts";
import type { JsonSchema } from "../text/json.ts";
import type { ParentCall } from "./parent-call.ts";
import type { ActionDecision, ToolAction } from "./tool-action.ts";
import type { ToolAnnotations } from "./tool-annotations.ts";

/** A PNG, JPEG, GIF or WebP, as base64 without a `data:` prefix. */
export interface ToolImage {
  readonly mediaType: string;
  readonly data: string;
}

/**
 * `markdown` and `images` are for the model, in this order. `structured` is JSON for the event log and callers; the model
 * never sees it.
 */
export interface ToolOutput {
  markdown: string;
  /** The model gets a note instead of an image that the host does not accept, that has more than 5 MB, or after 20 images or 20 MB. */
  images?: readonly ToolImage[] | undefined;
  structured?: unknown;
  /** The call failed. Return this instead of throwing if the model needs the images. Default: false. */
  isError?: boolean | undefined;
}

export interface ToolContext {
  /** Aborted when the run ends or the tool's time limit has passed. */
  signal: AbortSignal;
  runId: string;
  sessionId?: string;
  callId: string;
  /** The parent of runs that the tool starts. Missing if no run calls the tool. */
  call?: ParentCall;
  /**
   * Asks the rules, and the user if the rules require it, whether the tool may do something that counts as destructive.
   * Questions of one call are put one after the other. Missing if no run calls the tool.
   */
  authorize?(action: ToolAction): Promise<ActionDecision>;
  projectDir: string;
  /** The variables of the run, its session and the runtime's `toolEnvironment`. Not those of this process. */
  environment: Readonly<Record<string, string>>;
  logger: Logger;
  /** Adds a `tool.progress` event to the run. */
  progress(message: string): void;
}

/**
 * An input with a JSON Schema from elsewhere, such as an MCP server. The model gets the schema unchanged.
 */
export interface DescribedInput {
  /** A JSON Schema of type `object`. */
  readonly jsonSchema: JsonSchema;
  /**
   * Returns one sentence for each problem of an input. They are sent to the model. Empty if the input is valid.
   * Contract: changes nothing, and never throws for a JSON value.
   */
  problems(input: unknown): readonly string[];
}

/** A Zod object, an object schema of another library that has a JSON Schema, or a JSON Schema from elsewhere. */
export type ToolInput = StandardSchema<Record<string, unknown>> | DescribedInput;

export function isDescribed(input: ToolInput): input is DescribedInput {
  return "jsonSchema" in input;
}

/** The type of the input that `execute` receives. */
export type InputOf<I extends ToolInput> = I extends StandardSchema ? OutputOf<I> : Record<string, unknown>;

/** A tool that a model may call. */
export interface ToolDescriptor<I extends ToolInput = ToolInput> {
  name: string;
  description: string;
  input: I;
  annotations?: ToolAnnotations | undefined;
  /**
   * Where the tool comes from, without credentials. A remembered answer of the user applies only to a tool of the same
   * source with the same definition. Default: the program.
   */
  source?: string | undefined;
  /**
   * Whether calls may run at the same time as others: `parallel` together with other such calls, `exclusive` alone, in
   * the model's order. Default: `parallel` if the tool is `readOnly`.
   */
  concurrency?: "parallel" | "exclusive" | undefined;
  /** Names of tools that runs of this tool can call. Rules about them are accepted where this tool is passed. Default: none. */
  nestedTools?: readonly string[] | undefined;
  /** Longer results are truncated for the model and stored whole as an artifact. Default: 40,000 characters. */
  maxResultChars?: number | undefined;
  /** Milliseconds until a call is aborted and fails. Default: 600,000. */
  timeoutMs?: number | undefined;
  /**
   * Describes the effect of a call to the user who is asked, such as a diff or the statement. Plain text. Contract:
   * changes nothing and takes less than five seconds. If it throws, the message is shown instead.
   */
  preview?(
    input: InputOf<I>,
    context: Pick<ToolContext, "signal" | "projectDir" | "environment">,
  ): string | Promise<string>;
  /**
   * Contract: return a string or `{ markdown, images?, structured?, isError? }`. Throw if the call failed; the model
   * gets the message. Observe `context.signal`: a result that arrives after the abort is dropped.
   */
  execute(input: InputOf<I>, context: ToolContext): Promise<ToolOutput | string>;
}

/** A tool with any input. */
export type AnyTool = ToolDescriptor<ToolInput>;

/** Values are checked when the run starts, because tools that were made without `defineTool` arrive only there. */
const toolShape: OptionsShape<AnyTool> = {
  name: given.anything,
  description: given.anything,
  input: given.anything,
  annotations: declaredAnnotationsSchema.optional(),
  source: z.string().optional(),
  concurrency: given.anything.optional(),
  nestedTools: given.list.optional(),
  maxResultChars: given.anything.optional(),
  timeoutMs: given.anything.optional(),
  preview: given.anything.optional(),
  execute: given.anything,
};

const checkTool = optionsCheck("defineTool", toolShape, {
  error: class extends ToolSchemaError {
    constructor(message: string) {
      super(message, "defineTool");
      this.name = "ToolSchemaError";
    }
  },
});

/**
 * Declares a tool. `execute` gets the type of the input. Throws ToolSchemaError for an unknown key; a run checks the rest.
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
  checkTool(tool);
  return tool;
}
