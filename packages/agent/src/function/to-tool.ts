import {
  type AnyTool,
  defineTool,
  isPlainObject,
  type ToolAnnotations,
  type ToolInput,
  ToolSchemaError,
} from "@bridle/protocol";
import { describeParameters, withDefaults } from "./described-parameters.ts";
import type { FunctionToolConfig } from "./function-config.ts";

type Execute = AnyTool["execute"];

/**
 * The tool that an export is: one made with `defineTool`, an object with `input` and `execute`, a function with an
 * `input`, or a function that the configuration describes. Throws ToolSchemaError for anything else.
 */
export function toTool(exported: unknown, config: FunctionToolConfig): AnyTool {
  const parts = partsOf(exported, config);
  return defineTool({
    ...parts,
    name: config.name,
    description: config.description ?? requireDescription(parts.description, config),
    annotations: { ...parts.annotations, ...annotationsOf(config) },
  });
}

type Parts = Omit<AnyTool, "name" | "description"> & { description?: unknown };

function partsOf(exported: unknown, config: FunctionToolConfig): Parts {
  if (typeof exported === "function") return partsOfFunction(exported, config);
  if (!isPlainObject(exported) || typeof exported.execute !== "function") {
    throw wrong(config, `is ${kindOf(exported)}. Export a function, or a tool made with defineTool({ … }).`);
  }
  if (exported.input === undefined) {
    throw wrong(config, "has no input. Write `input: z.object({ … })` beside execute.");
  }
  refuseParameters(config);
  return exported as unknown as Parts; // a toolbox is made of it next, which looks at every field
}

function partsOfFunction(exported: object, config: FunctionToolConfig): Parts {
  const { input, description, annotations } = exported as {
    input?: unknown;
    description?: unknown;
    annotations?: unknown;
  };
  const call = exported as (...given: unknown[]) => unknown;
  const described = { description, ...(isPlainObject(annotations) && { annotations: annotations as ToolAnnotations }) };
  if (input !== undefined) {
    refuseParameters(config);
    return { ...described, input: input as ToolInput, execute: telling(call) };
  }
  const { parameters } = config;
  if (!parameters) {
    throw wrong(
      config,
      `does not say what its input is. Write \`${config.function}.input = z.object({ … })\` below it, or describe its parameters in the agent's file.`,
    );
  }
  return {
    ...described,
    input: describeParameters(parameters, config.name),
    execute: telling((given, context) => call(withDefaults(given, parameters), context)),
  };
}

/** A function need not know what a tool returns: other values are told as JSON, and go on record as they are. */
function telling(call: (...given: Parameters<Execute>) => unknown): Execute {
  return async (input, context) => {
    const value = await call(input, context);
    if (typeof value === "string") return value;
    if (isPlainObject(value) && typeof value.markdown === "string")
      return { markdown: value.markdown, structured: value.structured };
    if (value === undefined) return "Done.";
    return { markdown: JSON.stringify(value, null, 2), structured: value };
  };
}

/** The spelling of YAML to that of the core; what is not given stays out. */
function annotationsOf({ annotations = {} }: FunctionToolConfig): ToolAnnotations {
  const { read_only: readOnly, destructive, idempotent, open_world: openWorld } = annotations;
  const given = Object.entries({ readOnly, destructive, idempotent, openWorld });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function requireDescription(description: unknown, config: FunctionToolConfig): string {
  if (typeof description === "string" && description.trim() !== "") return description;
  throw wrong(config, "has no description. Say in `description` what it does, here or in the module.");
}

function refuseParameters(config: FunctionToolConfig): void {
  if (config.parameters) throw wrong(config, "describes its input itself. Leave parameters out.");
}

function wrong({ name, function: exported }: FunctionToolConfig, problem: string): ToolSchemaError {
  return new ToolSchemaError(`the export "${exported}" ${problem}`, name);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object without execute" : `a ${typeof value}`;
}
