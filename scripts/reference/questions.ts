import { z } from "zod";
import { type Node, nodeSchema, splitDefault, typeNames } from "./json-schema.ts";

const introduction = `<!-- Made by scripts/generate.ts from the schema of question files. Change the schema, then run "npm run generate". -->

# Question files

This page lists all keys of \`context/questions/<name>.yaml\`. [Evaluating answers](../guides/data/evaluating-answers.md) is the guide, and
\`bridle context eval --check\` checks the files.

- \`a[].b\` is the key \`b\` of each entry of the list \`a\`.
- A question has exactly one of these: a known answer (\`sql\`, \`metrics\` or \`rows\`), \`ambiguous\` or \`unanswerable\`.
- The keys below \`metrics\` are those of [a query in a program](../guides/data/warehouse-metrics.md#agents-and-programs).
- An unknown key is refused; the error names the nearest known key, the line and the column.
`;

/** Returns the reference of question files, from their schema. */
export function questionReference(schema: z.ZodType): string {
  const json = JSON.stringify(z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }), withoutTypeLists);
  const rows = rowsOf(nodeSchema.parse(JSON.parse(json)), "");
  const table = ["| key | value | default | |", "| --- | --- | --- | --- |", ...rows].join("\n");
  const ending =
    "## Read next\n\n- [Evaluating answers](../guides/data/evaluating-answers.md)\n- [Metrics of a warehouse](../guides/data/warehouse-metrics.md)\n";
  return [introduction, `${table}\n`, ending].join("\n");
}

/** Removes the `type` of a value with several types, which the table does not show. */
function withoutTypeLists(key: string, value: unknown): unknown {
  return key === "type" && Array.isArray(value) ? undefined : value;
}

function rowsOf({ properties = {} }: Node, prefix: string): string[] {
  return Object.entries(properties).flatMap(([key, node]) => {
    const path = `${prefix}${key}`;
    const { text, fallback } = splitDefault(node);
    const isQuery = key === "metrics";
    const value = isQuery ? "a query" : (typeNames[node.type ?? ""] ?? `a ${node.type}`);
    const row = `| \`${path}\` | ${value} | ${fallback} | ${text.replaceAll("|", "\\|")} |`;
    return [row, ...(node.items && !isQuery ? rowsOf(node.items, `${path}[].`) : [])];
  });
}
