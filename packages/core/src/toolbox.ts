import { z } from "zod";
import type { ToolDeclaration } from "./backend.ts";
import { ToolSchemaError } from "./errors.ts";
import { isPlainObject, type JsonSchema } from "./json.ts";
import type { AnyTool } from "./tool.ts";

/** The exact set of tools that a run may call, checked before any model is asked. */
export interface Toolbox {
  readonly declarations: readonly ToolDeclaration[];
  find(name: string): AnyTool | undefined;
}

/**
 * Checks the tools and derives what the model sees of them.
 * Throws ToolSchemaError for an input that is no Zod object or has no JSON Schema, and for two names that meet.
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

/** What the model sees of a tool. */
export function declareTool(tool: AnyTool): ToolDeclaration {
  checkShape(tool);
  return {
    name: normaliseToolName(tool.name),
    description: tool.description,
    inputSchema: inputSchemaOf(tool),
    annotations: tool.annotations ?? {},
  };
}

/** Characters outside `[A-Za-z0-9_-]` become `_`; at most 64 remain. Throws ToolSchemaError for an empty name. */
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
  if (typeof tool.description !== "string") return "has no description. Say in a sentence what it does.";
  if (typeof tool.execute !== "function") return "has no execute function. Add `execute: async (input) => …`.";
  if (zodType(tool.input) !== "object") return "needs a Zod object as its input. Write `input: z.object({ … })`.";
  return undefined;
}

function inputSchemaOf(tool: AnyTool): JsonSchema {
  try {
    const { $schema: _dialect, ...schema } = z.toJSONSchema(tool.input, { io: "input" });
    return schema;
  } catch (cause) {
    throw noSchema(tool, cause);
  }
}

function noSchema(tool: AnyTool, cause: unknown): ToolSchemaError {
  const field = Object.entries(tool.input.shape).find(([, type]) => !hasJsonSchema(type))?.[0];
  const subject = field === undefined ? "input" : `field "${field}"`;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ToolSchemaError(
    `The tool ${tool.name} cannot be shown to a model: its ${subject} has no JSON Schema (${reason}). ` +
      "Use a type that JSON can hold, such as z.string() or z.iso.datetime().",
    tool.name,
    field === undefined ? { cause } : { field, cause },
  );
}

function hasJsonSchema(type: z.core.$ZodType): boolean {
  try {
    z.toJSONSchema(type, { io: "input" });
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

/** Schemas of other copies of Zod count too, so the type is read from the definition and not by class. */
function zodType(value: unknown): string | undefined {
  if (!isPlainObject(value) || !isPlainObject(value._zod) || !isPlainObject(value._zod.def)) return undefined;
  return typeof value._zod.def.type === "string" ? value._zod.def.type : undefined;
}

function describe(tool: unknown): string {
  return isPlainObject(tool) && typeof tool.name === "string"
    ? `"${tool.name}"`
    : `${JSON.stringify(tool)?.slice(0, 80)}`;
}
