import {
  type AnyTool,
  defineTool,
  isPlainObject,
  omitUndefined,
  type ToolAnnotations,
  type ToolInput,
  type ToolOutput,
  ToolSchemaError,
} from "@bridle/protocol";
import { describeParameters, withDefaults } from "./described-parameters.ts";
import type { FunctionToolConfig } from "./function-config.ts";

type Execute = AnyTool["execute"];

/**
 * Turns an export into a tool. The export is a tool made with `defineTool`, an object with `input` and `execute`, a function with an
 * `input`, or a function whose parameters the agent file describes. Throws ToolSchemaError for anything else.
 */
export function toFunctionTool(exported: unknown, config: FunctionToolConfig): AnyTool {
  const parts = toParts(exported, config);
  return defineTool({
    ...parts,
    name: config.name,
    description: config.description ?? requireDescription(parts.description, config),
    annotations: { ...parts.annotations, ...toAnnotations(config) },
  });
}

type Parts = Omit<AnyTool, "name" | "description"> & { description?: unknown };

function toParts(exported: unknown, config: FunctionToolConfig): Parts {
  if (typeof exported === "function") return functionParts(exported, config);
  if (!isPlainObject(exported) || typeof exported.execute !== "function") {
    throw wrong(config, `is ${describeValue(exported)}. Export a function, or a tool made with defineTool({ … }).`);
  }
  if (exported.input === undefined) {
    throw wrong(config, "has no input. Write `input: z.object({ … })` next to execute.");
  }
  refuseParameters(config);
  return exported as unknown as Parts; // `createToolbox` checks every field next
}

function functionParts(exported: object, config: FunctionToolConfig): Parts {
  const { input, description, annotations } = exported as {
    input?: unknown;
    description?: unknown;
    annotations?: unknown;
  };
  const call = exported as (...given: unknown[]) => unknown;
  const described = { description, ...(isPlainObject(annotations) && { annotations: annotations as ToolAnnotations }) };
  if (input !== undefined) {
    refuseParameters(config);
    return { ...described, input: input as ToolInput, execute: withToolOutput(call) };
  }
  const { parameters } = config;
  if (!parameters) {
    throw wrong(
      config,
      `does not describe its input. Write \`${config.function}.input = z.object({ … })\` below it, or describe its parameters in the agent file.`,
    );
  }
  return {
    ...described,
    input: describeParameters(parameters, config.name),
    execute: withToolOutput((given, context) => call(withDefaults(given, parameters), context)),
  };
}

/**
 * Converts a function's result, which can be any value. Values other than text become JSON for the model, and structured data for programs.
 */
function withToolOutput(call: (...given: Parameters<Execute>) => unknown): Execute {
  return async (input, context) => {
    const value = await call(input, context);
    if (typeof value === "string") return value;
    if (isPlainObject(value) && typeof value.markdown === "string")
      return toToolOutput({ ...value, markdown: value.markdown });
    if (value === undefined) return "Done.";
    return { markdown: JSON.stringify(value, null, 2), structured: value };
  };
}

/** Returns the annotations with the names that core uses, without missing ones. */
function toAnnotations({ annotations = {} }: FunctionToolConfig): ToolAnnotations {
  const { read_only: readOnly, destructive, idempotent, open_world: openWorld } = annotations;
  return omitUndefined({ readOnly, destructive, idempotent, openWorld });
}

function requireDescription(description: unknown, config: FunctionToolConfig): string {
  if (typeof description === "string" && description.trim() !== "") return description;
  throw wrong(config, "has no description. Write `description` in the agent file or in the module.");
}

function refuseParameters(config: FunctionToolConfig): void {
  if (config.parameters) throw wrong(config, "describes its input itself. Remove parameters.");
}

function wrong({ name, function: exported }: FunctionToolConfig, problem: string): ToolSchemaError {
  return new ToolSchemaError(`the export "${exported}" ${problem}`, name);
}

function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object without execute" : `a ${typeof value}`;
}

/** Keeps only the fields of an output. The tool executor checks the images. */
function toToolOutput({ markdown, images, structured, isError }: ToolOutput): ToolOutput {
  return { markdown, structured, ...(images && { images }), ...(isError && { isError }) };
}
