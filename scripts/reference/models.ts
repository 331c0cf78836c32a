import { z } from "zod";
import { type Node, nodeSchema, splitDefault, typeNames } from "./json-schema.ts";

const introduction = `<!-- Made by scripts/generate.ts from the schema of model files. Change the schema, then run "npm run generate". -->

# Model files

This page lists all keys of \`context/models/<name>.yaml\`, with one model in each file.
[Metrics of a warehouse](../guides/data/warehouse-metrics.md) is the guide, [Types of metrics](../guides/data/metric-types.md) has an
example of each type, and \`bridle metrics validate\` checks the files.

- \`a[].b\` is the key \`b\` of each entry of the list \`a\`.
- A model has either \`table\` or \`sql\`. A measure has \`agg\`, or an \`expr\` that aggregates itself.
- A filter is a condition as a text, such as \`status = 'paid'\`; or one of \`{ field, op, value }\`, \`{ or: […] }\`, \`{ and: […] }\` and
  \`{ segment: name }\`.
- An unknown key is refused; the error names the nearest known key, the line and the column.
`;

const ending = `## Read next

- [Metrics of a warehouse](../guides/data/warehouse-metrics.md)
- [Modelling joins](../guides/data/modelling-joins.md)
`;

/** Returns the reference of model files, from their schema. Each type of metric has a separate table. */
export function modelReference(schema: z.ZodType): string {
  const json = JSON.stringify(z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }), withoutLists);
  const { properties = {} } = nodeSchema.parse(JSON.parse(json));
  const { metrics, ...model } = properties;
  const types = metrics?.items?.oneOf ?? metrics?.items?.anyOf ?? [];
  const sections = types.map((type) => {
    const name = String(type.properties?.type?.const ?? "");
    return `### \`type: ${name}\`\n\n${tableOf(rowsOf(type, "metrics[]."))}`;
  });
  return [introduction, tableOf(rowsOf({ properties: model }, "")), "## Metrics\n", ...sections, ending].join("\n");
}

function tableOf(rows: readonly string[]): string {
  return `${["| key | value | default | |", "| --- | --- | --- | --- |", ...rows].join("\n")}\n`;
}

/** Removes the `type` of a value with several types, and the `items` of a pair, because the table does not show these. */
function withoutLists(key: string, value: unknown): unknown {
  const isList = Array.isArray(value) || typeof value === "boolean";
  return (key === "type" || key === "items") && isList ? undefined : value;
}

/** Returns the rows of a mapping. Filters and join conditions are not expanded, because the introduction lists their forms. */
function rowsOf({ properties = {} }: Node, prefix: string): string[] {
  return Object.entries(properties).flatMap(([key, node]) => {
    const path = `${prefix}${key}`;
    const { text, fallback } = splitDefault(node);
    const row = `| \`${path}\` | ${shownValue(key, node)} | ${fallback} | ${text.replaceAll("|", "\\|")} |`;
    const inner = key === "filters" || key === "filter" ? [] : rowsOf(node, `${path}.`);
    return [row, ...inner, ...(node.items && key !== "filters" ? rowsOf(node.items, `${path}[].`) : [])];
  });
}

function shownValue(key: string, node: Node): string {
  if (key === "filters") return "a list of filters";
  if (key === "filter") return "a filter";
  if (node.const !== undefined) return `\`${String(node.const)}\``;
  if (node.enum) return node.enum.map((value) => `\`${String(value)}\``).join(", ");
  const alternatives = (node.anyOf ?? []).map((each) => shownValue("", each));
  if (alternatives.length > 0) return [...new Set(alternatives)].join(" or ");
  return typeNames[node.type ?? ""] ?? (node.type === undefined ? "any" : `a ${node.type}`);
}
