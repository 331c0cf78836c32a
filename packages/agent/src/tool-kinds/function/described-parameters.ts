import { describeInput } from "@bridle/core";
import {
  type DescribedInput,
  getErrorMessage,
  InvalidRequestError,
  suggestion,
  ToolSchemaError,
} from "@bridle/protocol";
import type { FunctionToolConfig } from "./function-config.ts";

type Parameters = NonNullable<FunctionToolConfig["parameters"]>;
type Parameter = Parameters[string];

const types = ["string", "number", "integer", "boolean", "array", "object", "null"];

/** Type names of other languages. */
const otherTypes: Readonly<Record<string, string>> = {
  float: "number",
  double: "number",
  int: "integer",
  bool: "boolean",
  str: "string",
  list: "array",
  dict: "object",
};

/** Creates the input of a function with parameters from the agent file. Throws ToolSchemaError for an invalid JSON Schema. */
export function describeParameters(parameters: Parameters, tool: string): DescribedInput {
  for (const [name, { type }] of Object.entries(parameters)) requireType(type, name, tool);
  const jsonSchema = {
    type: "object",
    properties: Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, toSchema(parameter)])),
    required: Object.keys(parameters).filter((name) => isRequired(parameters[name])),
    additionalProperties: false,
  };
  try {
    return describeInput(jsonSchema);
  } catch (cause) {
    const reason = cause instanceof InvalidRequestError ? cause.cause : cause;
    const problem = getErrorMessage(reason).replace("#/properties/", "parameter ");
    throw new ToolSchemaError(`The parameters of ${tool} are not a valid JSON Schema: ${problem}.`, tool, {
      cause,
    });
  }
}

/** Adds defaults for missing parameters to the input. */
export function withDefaults(input: object, parameters: Parameters): object {
  const defaults = Object.entries(parameters).filter(([, parameter]) => parameter.default !== undefined);
  return {
    ...Object.fromEntries(defaults.map(([name, parameter]) => [name, structuredClone(parameter.default)])),
    ...input,
  };
}

/** Drops a parameter's boolean `required`, but keeps an object's list of required properties. */
function toSchema({ required, ...schema }: Parameter): object {
  return Array.isArray(required) ? { ...schema, required } : schema;
}

function isRequired(parameter: Parameter | undefined): boolean {
  const { required } = parameter ?? {};
  return typeof required === "boolean" ? required : parameter?.default === undefined;
}

function requireType(type: unknown, name: string, tool: string): void {
  if (type === undefined) return;
  for (const each of Array.isArray(type) ? type : [type]) {
    if (types.includes(String(each))) continue;
    const other = otherTypes[String(each)];
    const hint = other ? ` Write ${other}.` : suggestion(String(each), types) || ` Use one of ${types.join(", ")}.`;
    throw new ToolSchemaError(
      `The parameter ${name} of ${tool} has the type ${JSON.stringify(each)}, which JSON Schema does not have.${hint}`,
      tool,
      {
        field: name,
      },
    );
  }
}
