/**
 * Arguments of a tool call that do not fit, mended before the call is made: JSON that came inside of a string is read;
 * else the model is asked once more for this call alone. What cannot be mended goes to the gate as it is.
 */
import { isPlainObject, type JsonSchema, type ToolDeclaration } from "@bridle/protocol";
import { z } from "zod";

/** Checks a tool's arguments against the schema that the model was shown. */
export type Check = (input: unknown) => { fits: true } | { fits: false; problems: string };

/** Reading a schema takes longer than checking by it. */
const checks = new WeakMap<JsonSchema, Check | undefined>();

/** Undefined for a schema that Zod cannot read, of which only the gate can judge. */
export function checkOf(schema: JsonSchema): Check | undefined {
  if (!checks.has(schema)) checks.set(schema, makeCheck(schema));
  return checks.get(schema);
}

function makeCheck(schema: JsonSchema): Check | undefined {
  const type = readSchema(schema);
  if (!type) return undefined;
  return (input) => {
    const parsed = type.safeParse(input);
    return parsed.success ? { fits: true } : { fits: false, problems: z.prettifyError(parsed.error) };
  };
}

function readSchema(schema: JsonSchema): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema, { registry: z.registry() });
  } catch {
    return undefined;
  }
}

/** The arguments as the model wrote them, read as JSON where they are. */
export function readArguments(text: string): unknown {
  return isNothing(text) ? {} : (parsed(text) ?? text);
}

/** No text at all, or what some servers write for it. */
export function isNothing(text: string): boolean {
  return ["", "null"].includes(text.trim());
}

/** The arguments with JSON read wherever it stands in a string and the schema wants an object or a list. */
export function unwrapJson(input: unknown, schema: unknown): unknown {
  const inner = typeof input === "string" && wantsStructure(schema) ? (parsed(input) ?? input) : input;
  if (Array.isArray(inner) && isPlainObject(schema)) return inner.map((item) => unwrapJson(item, schema.items));
  if (!isPlainObject(inner) || !isPlainObject(schema) || !isPlainObject(schema.properties)) return inner;
  const { properties } = schema;
  return Object.fromEntries(Object.entries(inner).map(([name, value]) => [name, unwrapJson(value, properties[name])]));
}

/** The schema takes an object or a list, and no string. */
function wantsStructure(schema: unknown): boolean {
  if (!isPlainObject(schema)) return false;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.some((type) => type === "object" || type === "array") && !types.includes("string");
}

/** An object or a list; a string that holds one inside of another is read to the end. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? parsed(value) : (value ?? undefined);
  } catch {
    return undefined;
  }
}

/** How the request for a mended call begins; a rehearsal can know it by this. */
export const mendWords = "This call of the tool";

/** What the model is told of a call that does not fit. */
export function mendPrompt(tool: ToolDeclaration, text: string, problems: string): string {
  return [
    `${mendWords} ${tool.name} does not fit the tool's schema. Its arguments were:`,
    text,
    `What is wrong with them:\n${problems}`,
    "Make the same call again, with the arguments mended and nothing else changed.",
  ].join("\n\n");
}
