import { stringify } from "yaml";
import { listed, type Node, nodeSchema, splitDefault, typeNames } from "./json-schema.ts";

const introduction = `<!-- Made by scripts/generate.ts from the schema of agent files. Change the schema, then run "npm run generate". -->

# The agent file

This page lists all fields of an agent file. For guides, see [Writing an agent](../guides/agents/writing-an-agent.md) and
[Testing agents](../guides/agents/testing-agents.md). \`bridle agent validate\` checks a file, and \`bridle agent schema\` prints the JSON
Schema for editors.

- \`a[].b\` is the key \`b\` of each entry of the list \`a\`. \`a.*.b\` is the key \`b\` of each entry of the mapping \`a\`.
- If a key applies only to some types or providers, its description starts with their names.
- Paths are relative to the agent file's folder.
- \`\${NAME}\` and \`\${NAME:-default}\` in a value are replaced with variables from the environment, as in [bridle.yaml](configuration.md).

No field is silently ignored. An unsupported field is an error that says what to do instead. A field that the chosen backend does not
support is an error or a warning.
`;

const ending = `## Read next

- [Writing an agent](../guides/agents/writing-an-agent.md): a guide to the parts of a file
- [Tools](../guides/apps/tools.md) and [Rules](../guides/agents/rules.md)
- [Testing agents](../guides/agents/testing-agents.md) and [Metrics](../guides/agents/metrics.md)
- [The command](cli.md): \`bridle agent\`, \`bridle run --agent\`, \`bridle chat\`, \`bridle test\`
`;

interface Kinds {
  /** The kinds of mapping that have the key, such as types of tools. */
  readonly kinds: readonly string[];
  /** The number of kinds that the mapping has in total. */
  readonly all: number;
}

interface Row extends Kinds {
  readonly path: string;
  readonly node: Node;
  /** The path of a mapping with the same keys, where the reference describes them. */
  readonly as?: string;
}

/** Returns the agent file reference, from the JSON Schema of agent files. */
export function agentReference(schema: unknown): string {
  const { properties = {} } = nodeSchema.parse(schema);
  const seen = new Map<string, string>();
  const sections = Object.entries(properties).map(([key, node]) => {
    const rows = rowsOf(node, key, { kinds: [], all: 1 }, seen);
    return { key, node, rows: rows.filter((row) => !isRefused(row)), refused: rows.filter(isRefused) };
  });
  const whole = sections.filter(({ rows }) => rows.length > 0);
  const refused = sections.flatMap((section) => section.refused);
  return [
    introduction,
    ...whole.map(
      ({ key, node, rows }) => `## \`${key}\`\n\n${table(merge(rows).map(rowText))}\n${kindsText(key, node)}`,
    ),
    `## What is not supported\n\n${refusedTable(merge(refused))}\n`,
    ending,
  ].join("\n");
}

function rowsOf(node: Node, path: string, kinds: Kinds, seen: Map<string, string>): Row[] {
  const holder = holderIn(node, path);
  if (holder === undefined) return [{ path, node, ...kinds }];
  const first = seen.get(keyOf(holder.node));
  if (first !== undefined) return [{ path, node, ...kinds, as: first }];
  seen.set(keyOf(holder.node), path);
  return [{ path, node, ...kinds }, ...rowsBelow(holder, seen)];
}

interface Holder {
  readonly path: string;
  readonly node: Node;
}

/** Returns the mapping in a node: the node itself, or an entry of its list or mapping. */
function holderIn(node: Node, path: string): Holder | undefined {
  const { items, additionalProperties: each } = node;
  if (items) return holderIn(items, `${path}[]`);
  if (typeof each === "object" && mappingsOf(each).length > 0) return holderIn(each, `${path}.*`);
  return mappingsOf(node).length > 0 ? { path, node } : undefined;
}

function rowsBelow({ path, node }: Holder, seen: Map<string, string>): Row[] {
  const mappings = mappingsOf(node);
  return mappings.flatMap((mapping) => {
    const kinds = mappings.length > 1 ? kindsOf(mapping) : [];
    return Object.entries(mapping.properties ?? {}).flatMap(([name, child]) =>
      rowsOf(child, `${path}.${name}`, { kinds, all: mappings.length }, seen),
    );
  });
}

function mappingsOf(node: Node): readonly Node[] {
  return [node, ...(node.anyOf ?? []).flatMap(mappingsOf)].filter(({ properties }) => properties);
}

/** Returns a key that is equal for mappings with equal keys. */
function keyOf(node: Node): string {
  return JSON.stringify(mappingsOf(node).map(({ properties }) => properties));
}

/** Returns the values of the key that distinguishes a mapping from the other kinds. */
function kindsOf({ properties = {} }: Node): string[] {
  const { type, provider } = properties;
  const node = provider ?? type;
  const fixed = node?.anyOf?.[0] ?? node;
  return fixed?.const === undefined ? (fixed?.enum ?? []).slice(0, 1).map(String) : [String(fixed.const)];
}

/** Merges rows, so that each key has one row for each of its meanings. */
function merge(rows: readonly Row[]): Row[] {
  const groups = Map.groupBy(rows, ({ path, node }) => `${path} ${node.description}`);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const values = [...new Set(same.flatMap(({ node }) => fixedIn(node)))];
    const node =
      values.length > 1 && same.length > 1 ? { description: first.node.description, enum: values } : first.node;
    return [{ ...first, node, kinds: same.flatMap(({ kinds }) => kinds) }];
  });
}

function fixedIn(node: Node): unknown[] {
  const fixed = node.anyOf?.[0] ?? node;
  return fixed.const === undefined ? [] : [fixed.const];
}

const mark = "Not supported: ";

function isRefused({ node }: Row): boolean {
  return node.description?.startsWith(mark) ?? false;
}

function rowText({ path, node, kinds, all, as }: Row): string {
  const { text, fallback } = splitDefault({ ...node, description: descriptionOf(node) });
  const owners = kinds.length === 0 || kinds.length === all ? "" : `${listed(kinds)}: `;
  return row([`\`${path}\``, as === undefined ? possibleValues(node) : `as \`${as}\``, fallback, `${owners}${text}`]);
}

/** Lists the kinds of entries in a list whose entries have examples, such as `tools`. */
function kindsText(key: string, { items }: Node): string {
  const kinds = (items?.anyOf ?? []).filter(({ examples = [] }) => examples.length > 0);
  if (kinds.length === 0) return "";
  const rows = kinds.map(({ description = "", properties }) => row([valuesOf(properties?.type), description]));
  const examples = stringify({ [key]: kinds.flatMap(({ examples: [first] = [] }) => [first]) }, { lineWidth: 0 });
  const head = [row(["`type`", "kind"]), row(["---", "---"])];
  return `\n${[...head, ...rows].join("\n")}\n\nOne entry of each kind:\n\n\`\`\`yaml\n${examples}\`\`\`\n`;
}

function valuesOf(node: Node = {}): string {
  const fixed = node.anyOf?.[0] ?? node;
  return listed((fixed.enum ?? [fixed.const]).map(String));
}

function descriptionOf({ description, anyOf }: Node): string | undefined {
  return description ?? anyOf?.map((each) => each.description).find((each) => each !== undefined);
}

function possibleValues(node: Node): string {
  const fixed = node.anyOf?.find(({ type, ...rest }) => rest.enum ?? rest.const) ?? node;
  if (fixed.enum) return listed(fixed.enum.map(String));
  if (fixed.const !== undefined) return `\`${fixed.const}\``;
  if ((node.anyOf?.[0] ?? node).format === "uri") return "a URL";
  if (mappingsOf(node).length > 0) return "a mapping";
  const kinds = (node.anyOf ?? [node]).map(({ type = "" }) => moreNames[type] ?? typeNames[type] ?? `a ${type}`);
  return [...new Set(kinds)].join(" or ");
}

const moreNames: Readonly<Record<string, string>> = { null: "`null`", "": "anything" };

function table(rows: readonly string[]): string {
  return [row(["key", "value", "default", ""]), row(["---", "---", "---", "---"]), ...rows].join("\n");
}

function refusedTable(rows: readonly Row[]): string {
  const lines = rows.map(({ path, node }) => row([`\`${path}\``, (node.description ?? "").slice(mark.length)]));
  return [row(["key", "what to do instead"]), row(["---", "---"]), ...lines].join("\n");
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
