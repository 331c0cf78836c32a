/** The parts of a JSON Schema that the references show. */
import { z } from "zod";

export interface Node {
  readonly description?: string | undefined;
  readonly default?: unknown;
  readonly examples?: readonly unknown[] | undefined;
  readonly type?: string | undefined;
  readonly format?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly anyOf?: readonly Node[] | undefined;
  readonly oneOf?: readonly Node[] | undefined;
  readonly items?: Node | undefined;
  readonly properties?: Readonly<Record<string, Node>> | undefined;
  readonly additionalProperties?: Node | boolean | undefined;
}

export const nodeSchema: z.ZodType<Node> = z.lazy(() =>
  z.object({
    description: z.string().optional(),
    default: z.unknown().optional(),
    examples: z.array(z.unknown()).optional(),
    type: z.string().optional(),
    format: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    anyOf: z.array(nodeSchema).optional(),
    oneOf: z.array(nodeSchema).optional(),
    items: nodeSchema.optional(),
    properties: z.record(z.string(), nodeSchema).optional(),
    additionalProperties: z.union([z.boolean(), nodeSchema]).optional(),
  }),
);

/** Writes names as a list: `a`, `b`. */
export function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

export const typeNames: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "`true`, `false`",
  object: "names and values",
  string: "a string",
  integer: "a whole number",
};

/** Splits a description, because a default has its own column. */
export function splitDefault(node: Node): { text: string; fallback: string } {
  const { description = "" } = node;
  const said = / Default: (.+?)\.$/.exec(description);
  const fallback = said?.[1] ?? (node.default === undefined ? undefined : inYaml(node.default));
  return { text: description.replace(said?.[0] ?? "", ""), fallback: fallback === undefined ? "" : `\`${fallback}\`` };
}

function inYaml(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value).replaceAll('"', "").replaceAll(":", ": ");
}
