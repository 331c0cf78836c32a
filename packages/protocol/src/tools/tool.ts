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
  /**
   * Images for the model. The model gets a note in place of each image that the host does not accept, that is over 5 MB, or that is beyond
   * 20 images or 20 MB.
   */
  images?: readonly ToolImage[] | undefined;
  structured?: unknown;
  /** Whether the call failed. Set it instead of throwing if the model needs the images. Default: false. */
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
   * Asks the rules, and the user if the rules require it, whether the tool may do something that counts as destructive. Questions of one
   * call are asked one after another. Missing if no run calls the tool.
   */
  authorize?(action: ToolAction): Promise<ActionDecision>;
  projectDir: string;
  /** The variables of the run, its session and the runtime's `toolEnvironment`, but not those of this process. */
  environment: Readonly<Record<string, string>>;
  logger: Logger;
  /** Adds a `tool.progress` event to the run. */
  progress(message: string): void;
}

/** An input whose JSON Schema comes from elsewhere, such as an MCP server. The model gets the schema unchanged. */
export interface DescribedInput {
  /** A JSON Schema of type `object`. */
  readonly jsonSchema: JsonSchema;
  /**
   * Returns one sentence for each problem of an input, for the model. Empty if the input is valid. Contract: changes nothing, and never
   * throws for a JSON value.
   */
  problems(input: unknown): readonly string[];
}

/** A Zod object, another library's object schema that can produce a JSON Schema, or a JSON Schema from elsewhere. */
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
   * The origin of the tool, without credentials. A user's remembered answer applies only to a tool with the same source and definition.
   * Default: the program.
   */
  source?: string | undefined;
  /**
   * Whether calls may run at the same time: `parallel` calls run together with other parallel calls, `exclusive` calls run alone, in the
   * model's order. Default: `parallel` if the tool is `readOnly`.
   */
  concurrency?: "parallel" | "exclusive" | undefined;
  /** Names of tools that nested runs of this tool can call. Rules about them are accepted where this tool is passed. Default: none. */
  nestedTools?: readonly string[] | undefined;
  /**
   * The maximum length of a result. Longer results are truncated for the model, and the event log stores the whole text. Default: 40,000
   * characters.
   */
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
   * Runs a call. Contract: return a string or `{ markdown, images?, structured?, isError? }`. Throw if the call failed; the model gets the
   * message. Observe `context.signal`: a result that arrives after the abort is dropped.
   */
  execute(input: InputOf<I>, context: ToolContext): Promise<ToolOutput | string>;
}

/** A tool with any input. */
export type AnyTool = ToolDescriptor<ToolInput>;

/** The known keys. Values are checked when a run starts, because tools made without `defineTool` are first seen there. */
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
