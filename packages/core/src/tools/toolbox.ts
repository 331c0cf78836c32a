import {
  type AnyTool,
  declaredAnnotationsSchema,
  getErrorMessage,
  isDescribed,
  isPlainObject,
  type JsonSchema,
  preview,
  type StandardSchema,
  suggestion,
  type ToolDeclaration,
  ToolSchemaError,
} from "@bridle/protocol";
import { z } from "zod";
import { toJsonSchema } from "../schemas/schema-json.ts";
import { explainUnusable, isStandard, isZod } from "../schemas/schema-library.ts";

/** The tools that a run may call, validated before any request is sent. */
export interface Toolbox {
  readonly declarations: readonly ToolDeclaration[];
  find(name: string): AnyTool | undefined;
}

/**
 * Validates the tools and derives their declarations for the model.
 *
 * @throws ToolSchemaError if an input is not an object or has no JSON Schema, or if two tools have the same name.
 */
export function createToolbox(tools: readonly AnyTool[], reserved: readonly string[] = []): Toolbox {
  const byName = new Map<string, AnyTool>();
  const declarations = tools.map((tool) => {
    const declaration = declareTool(tool);
    const other = byName.get(declaration.name);
    if (other) throw meeting(tool, other, declaration.name);
    if (reserved.includes(declaration.name)) throw taken(tool, declaration.name);
    byName.set(declaration.name, tool);
    return declaration;
  });
  return { declarations, find: (name) => byName.get(name) };
}

/** Returns the declaration of a tool for the model. */
export function declareTool(tool: AnyTool): ToolDeclaration {
  checkShape(tool);
  return {
    name: normaliseToolName(tool.name),
    description: tool.description,
    inputSchema: inputSchemaOf(tool),
    annotations: tool.annotations ?? {},
    ...(tool.concurrency === "parallel" && { parallel: true }),
  };
}

/** Whether calls to the tool may run concurrently. */
export function isParallel({ concurrency, annotations }: AnyTool): boolean {
  return concurrency === undefined ? (annotations?.readOnly ?? false) : concurrency === "parallel";
}

/** Replaces characters outside `[A-Za-z0-9_-]` with `_`, and keeps at most 64 characters. Throws ToolSchemaError for an empty name. */
export function normaliseToolName(name: string): string {
  if (name.trim() === "") throw new ToolSchemaError('A tool has an empty name. Give it one, such as "search".', name);
  return name.replace(/[^A-Za-z0-9_-]/gu, "_").slice(0, 64);
}

function checkShape(tool: AnyTool): void {
  const problem = shapeProblem(tool);
  if (problem) throw new ToolSchemaError(`The tool ${describe(tool)} ${problem}`, describe(tool));
}

function shapeProblem(tool: unknown): string | undefined {
  if (!isPlainObject(tool)) return "is not an object. Make it with defineTool({ name, description, input, execute }).";
  if (typeof tool.name !== "string") return 'has no name. Give it one, such as `name: "search"`.';
  if (typeof tool.description !== "string") return "has no description. Describe its effect in one sentence.";
  if (typeof tool.execute !== "function") return "has no execute function. Add `execute: async (input) => …`.";
  if (tool.preview !== undefined && typeof tool.preview !== "function") {
    return "has a preview that is not a function. Write `preview: (input) => …`, or leave it out.";
  }
  if (tool.concurrency !== undefined && tool.concurrency !== "parallel" && tool.concurrency !== "exclusive") {
    return `has the concurrency ${preview(tool.concurrency)}. Write "parallel" or "exclusive", or leave it out.`;
  }
  const annotated = annotationProblem(tool.annotations);
  if (annotated) return annotated;
  const problem = inputProblem(tool.input);
  if (problem) return problem;
  if (!isLimit(tool.maxResultChars)) return `has maxResultChars ${preview(tool.maxResultChars)}. Give a number from 0.`;
  if (tool.timeoutMs === 0 || !isLimit(tool.timeoutMs)) {
    return `has timeoutMs ${preview(tool.timeoutMs)}. Give milliseconds above 0, or Infinity for no limit.`;
  }
  return undefined;
}

function annotationProblem(annotations: unknown): string | undefined {
  const parsed = declaredAnnotationsSchema.optional().safeParse(annotations);
  if (parsed.success) return undefined;
  const [issue] = parsed.error.issues;
  if (issue?.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    const known = Object.keys(declaredAnnotationsSchema.shape);
    return `has the unknown annotation "${key}".${suggestion(key, known) || ` Known: ${known.join(", ")}.`}`;
  }
  const name = issue?.path.join(".") ?? "";
  return name === ""
    ? "has annotations that are not an object."
    : `has the annotation ${name}, which must be true or false.`;
}

function inputProblem(input: unknown): string | undefined {
  const unusable = explainUnusable(input, "its JSON Schema as `input: describeInput({ … })`");
  if (unusable !== undefined) return `has an input that ${unusable}`;
  if (isZod(input) ? input._zod.def.type === "object" : isStandard(input)) return undefined;
  if (!isPlainObject(input) || !("jsonSchema" in input)) {
    return "needs a Zod object as its input. Write `input: z.object({ … })`, or `input: describeInput(jsonSchema)`.";
  }
  const { jsonSchema, problems } = input;
  if (!isPlainObject(jsonSchema) || jsonSchema.type !== "object") return "has an input schema that is not an object.";
  return typeof problems === "function"
    ? undefined
    : "has a JSON Schema that nothing checks. Add `problems: (input) => []`.";
}

function isLimit(value: unknown): boolean {
  return value === undefined || (typeof value === "number" && value >= 0);
}

function inputSchemaOf({ name, input }: AnyTool): JsonSchema {
  if (isDescribed(input)) return input.jsonSchema;
  const jsonSchema = describeSchema(name, input);
  if (jsonSchema.type === "object") return jsonSchema;
  throw new ToolSchemaError(`The tool ${describe({ name })} has an input schema that is not an object.`, name);
}

function describeSchema(name: string, input: StandardSchema): JsonSchema {
  try {
    return toJsonSchema(input, refuseUnsendable);
  } catch (cause) {
    throw noSchema(name, input, cause);
  }
}

/** Refuses types that Zod describes as strings although a model can never send a valid value. */
function refuseUnsendable({ zodSchema }: { zodSchema: z.core.$ZodType }): void {
  const { type } = zodSchema._zod.def;
  if (type === "file" || type === "promise") throw new Error(`${type} cannot be sent as JSON`);
}

function noSchema(tool: string, input: StandardSchema, cause: unknown): ToolSchemaError {
  const field = isZod(input) ? fieldWithoutSchema(input) : undefined;
  const subject = field === undefined ? "input" : `field "${field}"`;
  return new ToolSchemaError(
    `The tool ${tool} cannot be shown to a model: its ${subject} has no JSON Schema (${getErrorMessage(cause)}). ` +
      "Use a type that JSON can hold, such as z.string() or z.iso.datetime().",
    tool,
    field === undefined ? { cause } : { field, cause },
  );
}

/** Finds the deepest field that cannot be described, such as `order.lines.date`. */
function fieldWithoutSchema(input: z.core.$ZodType): string | undefined {
  let deepest: readonly PropertyKey[] = [];
  const note = ({ zodSchema, path }: { zodSchema: z.core.$ZodType; path: readonly PropertyKey[] }) => {
    if (path.length > deepest.length && !isSendable(zodSchema)) deepest = path;
  };
  try {
    z.toJSONSchema(input, { io: "input", unrepresentable: "any", override: note });
  } catch {
    // JSON cannot represent a default, so the deepest field found so far is the answer
  }
  return fieldNames(deepest).join(".") || undefined;
}

/** Returns the names of properties on a path through a JSON Schema, in which names and keywords alternate. */
function fieldNames([keyword, name, ...rest]: readonly PropertyKey[]): string[] {
  if (keyword === undefined) return [];
  if (keyword === "properties" && name !== undefined) return [String(name), ...fieldNames(rest)];
  return fieldNames(name === undefined ? [] : [name, ...rest]);
}

function isSendable(type: z.core.$ZodType): boolean {
  try {
    z.toJSONSchema(type, { io: "input", override: refuseUnsendable });
    return true;
  } catch {
    return false;
  }
}

function meeting(tool: AnyTool, other: AnyTool, name: string): ToolSchemaError {
  const names = tool.name === other.name ? `Two tools are named "${name}"` : `"${other.name}" and "${tool.name}" meet`;
  return new ToolSchemaError(`${names}: models see both as "${name}". Rename one of them.`, tool.name);
}

function taken(tool: AnyTool, name: string): ToolSchemaError {
  return new ToolSchemaError(`The tool name "${name}" is Bridle's own. Rename your tool.`, tool.name);
}

function describe(tool: unknown): string {
  return isPlainObject(tool) && typeof tool.name === "string" ? `"${tool.name}"` : preview(tool);
}
