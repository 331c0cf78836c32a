import { listed, type Node, nodeSchema, splitDefault, typeNames } from "./json-schema.ts";

const introduction = `<!-- Made by scripts/generate.ts from the schema of bridle.yaml. Change the schema, then run "npm run generate". -->

# Configuration

A project is a folder with a \`bridle.yaml\`. Without one the defaults hold: the models of Claude Code, on its own login.
Each backend has keys of its own; a key of another is refused, and told whose it is. [Backends](backends.md) says what each
needs.

\`\`\`yaml
# bridle.yaml
llm:
  provider:
    backend: claude-code
    auth: session
  models:
    default: sonnet
    triage: haiku
  promptCaching: { enabled: true }
\`\`\`

The file is the one in \`--project-dir\` (\`projectDir\` in TypeScript), else in the folder that \`BRIDLE_PROJECT_DIR\` names,
else the nearest upward from the working directory. A key that is not known is refused with the nearest one, and every
message says file, line and column.

\`\${NAME}\` and \`\${NAME:-default}\` in a value are replaced from the environment, after the file is parsed: a value can never
become a key. A default cannot hold another reference. All missing names are reported together, but for those that only
say how a host is reached (under \`llm.provider\` and \`embeddings\`): these fail what asks that host, before anything is
sent, and nothing else.

A value that came from the environment is shown as the file has it: in \`status\` and \`doctor\`, in errors, and in the
events and results of runs, where a model is then \`\${NAME}\`. In what a host says by itself, values of seven characters
and more are replaced wherever they stand, and shorter ones, such as \`opus\`, only alone or in quotes. A credential that
stands in the file itself is shown as its path, such as \`(llm.provider.apiKey)\`; \`doctor\` warns of it. What the model
writes is left as it is. Anchors and aliases are read; merge keys (\`<<\`), tags and a second document are refused.
`;

const ending = `## In an editor

\`bridle config schema\` prints the JSON Schema. Put it beside the file, and the first line tells an editor's YAML extension:

\`\`\`yaml
# yaml-language-server: $schema=./bridle.schema.json
llm: { models: { default: sonnet } }
\`\`\`

## Read next

- [Backends](backends.md): choosing one, credentials, limits and prices
- [Claude Code](claude-code.md): what the auth modes mean
- [Running agents](running-agents.md): roles and models from TypeScript
- [The command](cli.md): flags that stand over the file
`;

/** The reference of `bridle.yaml`, from its JSON Schema. */
export function configurationReference(schema: unknown): string {
  const rows = rowsOf(nodeSchema.parse(schema), "");
  const table = ["| key | value | default | |", "| --- | --- | --- | --- |", ...rows].join("\n");
  return [introduction, `## Keys\n\n${table}\n`, ending].join("\n");
}

function rowsOf({ properties = {} }: Node, prefix: string): string[] {
  return Object.entries(properties).flatMap(([key, node]) => {
    const path = `${prefix}${key}`;
    if (node.properties) return rowsOf(node, `${path}.`);
    const alternatives = node.anyOf?.filter((each) => each.properties) ?? [];
    return alternatives.length > 0 ? rowsByBackend(alternatives, `${path}.`) : [row(path, node)];
  });
}

function row(path: string, node: Node, owners = ""): string {
  const { text, fallback } = splitDefault(node);
  return `| \`${path}\` | ${possibleValues(node)} | ${fallback} | ${owners}${text} |`;
}

/** A mapping whose keys depend on its backend: a row for each key, and for each meaning that it has. */
function rowsByBackend(alternatives: readonly Node[], prefix: string): string[] {
  const all = alternatives.flatMap(({ properties = {} }) => {
    const [name = ""] = namesOf(properties.backend);
    return Object.entries(properties).map(([key, node]) => ({ key, node, name: String(name) }));
  });
  const meanings = Object.values(Object.groupBy(all, ({ key, node }) => `${key} ${node.description}`));
  return meanings.flatMap((same = []) => {
    const [first] = same;
    if (first === undefined) return [];
    const owners = `${listed(same.map(({ name }) => name))}: `;
    if (first.key !== "backend")
      return [row(prefix + first.key, first.node, owners), ...rowsBelow(first, prefix, owners)];
    const names = same.flatMap(({ node }) => namesOf(node));
    return [row(`${prefix}backend`, { ...first.node, enum: names, anyOf: undefined })];
  });
}

/** The keys of a value that may be a mapping, or something else such as false. */
function rowsBelow({ key, node }: { key: string; node: Node }, prefix: string, owners: string): string[] {
  const properties = node.anyOf?.find(isMapping)?.properties ?? {};
  return Object.entries(properties).map(([name, each]) => row(`${prefix}${key}.${name}`, each, owners));
}

function namesOf(node: Node | undefined): unknown[] {
  const fixed = node?.anyOf?.[0] ?? node;
  return fixed?.const === undefined ? [] : [fixed.const];
}

/** What may stand there. Alternatives that hold a \`\${NAME}\` are left out: that is said once for all. */
function possibleValues(node: Node): string {
  const fixed = node.anyOf?.[0] ?? node;
  if (fixed.enum) return listed(fixed.enum.map(String));
  if (fixed.const !== undefined) return `\`${fixed.const}\`${node.anyOf?.some(isMapping) ? ", or the keys below" : ""}`;
  if (fixed.format === "uri") return "a URL";
  return typeNames[fixed.type ?? ""] ?? `a ${fixed.type}`;
}

const isMapping = (node: Node) => node.properties !== undefined;
