import { listed, type Node, nodeSchema, splitDefault, typeNames } from "./json-schema.ts";

const introduction = `<!-- Made by scripts/generate.ts from the schema of bridle.yaml. Change the schema, then run "npm run generate". -->

# Configuration

A project is a folder with a \`bridle.yaml\`. Without this file, the defaults apply: Claude Code's models, with Claude Code's own login.

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

Each backend has its own keys. A key of another backend is an error that names that backend. [Backends](backends.md) describes what each
backend needs.

## Which file is used

1. The file in \`--project-dir\` (\`projectDir\` in TypeScript).
2. Otherwise, the file in the folder that \`BRIDLE_PROJECT_DIR\` names.
3. Otherwise, the nearest file in the working directory or above.

The error for an unknown key names the nearest known key. Every error names file, line and column. Anchors and aliases are allowed;
merge keys (\`<<\`), tags and a second document are not.

## Variables

\`\${NAME}\` and \`\${NAME:-default}\` in a value are replaced with variables from the environment after the file is parsed, so a variable can
never become a key. A default cannot contain another reference.

All missing variables are reported together, with one exception: variables that are needed only to reach a host (below \`llm.provider\` or
\`embeddings\`), an event log (\`eventLog.url\`), a database (\`context.connections\`) or a source (\`context.sources\`). If such a variable is
missing, only operations that use this host, event log, database or source fail, and nothing is sent.

Values from the environment are not shown. \`status\`, \`doctor\`, errors, events and results show what the file contains instead, such as
\`\${NAME}\`. In a host's messages, values of seven characters or more are replaced everywhere. Shorter values, such as \`opus\`, are replaced
only as separate words or in quotes. A credential written in the file is shown as its path, such as \`(llm.provider.apiKey)\`, and
\`doctor\` warns about it. The model's own words are not changed.

### Variables in a file

Commands read a \`.env\` file in the folder of \`bridle.yaml\`, or in the working directory if there is no \`bridle.yaml\`. They print on standard
error which variables they read from it:

\`\`\`text
Read from /home/ada/desk/.env: OPENAI_API_KEY, SHOP_TOKEN.
\`\`\`

These variables then count as part of the environment: for \`\${NAME}\`, for the tools in your process and for the redaction of credentials.

- A variable that is already set in the environment keeps its value, even if that is empty.
- The file has to be [trusted](../guides/agents/trust.md#variables-of-env).
- Some variables are never read from the file: those of the machine, such as \`PATH\`, \`HOME\` and proxies, \`BRIDLE_…\`, \`CLAUDE_CONFIG_DIR\`,
  and those that load code, such as \`NODE_OPTIONS\`.
- Claude Code gets only the credential for the \`auth\` mode that you choose, and variables that a file passes on by name.
- With \`--no-env-file\`, and in a namespace, the file is not read. Programs that call \`createRuntime()\` have to read a \`.env\` themselves.
- \`bridle status\` and \`bridle doctor\` list the variables that were read from it.
`;

const ending = `## Ingest sources

\`bridle context ingest\` reads the entries of \`context.sources\`. The keys of an entry depend on its \`type\`;
[Sources of ingest](../guides/data/ingest-sources.md) lists all of them.

\`\`\`yaml
llm:
  models:
    default: sonnet # works on documents that are worth it, with tools
    triage: haiku # sorts passages
    extract: haiku # copies facts from prose, and from what people want remembered
    curator: sonnet # finds statements that say the same
    reconcile: sonnet # decides whether two statements contradict each other
context:
  sources:
    handbook: { type: documents, path: docs/handbook }
    notion: { type: notion, token: "\${NOTION_TOKEN}" }
  commit: true
\`\`\`

A role without an entry uses \`default\`. Write credentials as \`\${NAME}\`. Sources that reach a service, and paths outside of the
folder, are part of the [trust question](../guides/agents/trust.md).

## In an editor

\`bridle config schema\` prints the JSON Schema. Save it next to the file, and refer to it in the first line for your editor's YAML
extension:

\`\`\`yaml
# yaml-language-server: $schema=./bridle.schema.json
llm: { models: { default: sonnet } }
\`\`\`

## Read next

- [Backends](backends.md): choosing a backend, credentials, limits and prices
- [Claude Code](../guides/hosts/claude-code.md): the auth modes
- [Running agents](../guides/apps/running-agents.md): roles and models from TypeScript
- [The command](cli.md): flags that override the file
`;

/** Returns the reference of `bridle.yaml`, from its JSON Schema. */
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
    return alternatives.length > 0 ? rowsByKind(alternatives, `${path}.`) : [row(path, node)];
  });
}

function row(path: string, node: Node, owners = ""): string {
  const { text, fallback } = splitDefault(node);
  return `| \`${path}\` | ${possibleValues(node)} | ${fallback} | ${owners}${text} |`;
}

/** Returns the rows for a mapping whose keys depend on its backend or type: one for each meaning of each key. */
function rowsByKind(alternatives: readonly Node[], prefix: string): string[] {
  const kind = alternatives.some(({ properties }) => properties?.backend) ? "backend" : "type";
  const all = alternatives.flatMap(({ properties = {} }) => {
    const [name = ""] = namesOf(properties[kind]);
    return Object.entries(properties).map(([key, node]) => ({ key, node, name: String(name) }));
  });
  const meanings = Object.values(Object.groupBy(all, ({ key, node }) => `${key} ${node.description}`));
  return meanings.flatMap((same = []) => {
    const [first] = same;
    if (first === undefined) return [];
    const owners = `${listed(same.map(({ name }) => name))}: `;
    if (first.key !== kind) return [row(prefix + first.key, first.node, owners), ...rowsBelow(first, prefix, owners)];
    const names = same.flatMap(({ node }) => namesOf(node));
    return [row(`${prefix}${kind}`, { ...first.node, enum: names, anyOf: undefined })];
  });
}

/** Returns the rows for the keys of a value that may be a mapping or another value, such as false. */
function rowsBelow({ key, node }: { key: string; node: Node }, prefix: string, owners: string): string[] {
  const properties = node.anyOf?.find(isMapping)?.properties ?? {};
  return Object.entries(properties).map(([name, each]) => row(`${prefix}${key}.${name}`, each, owners));
}

function namesOf(node: Node | undefined): unknown[] {
  const fixed = node?.anyOf?.[0] ?? node;
  return fixed?.const === undefined ? [] : [fixed.const];
}

/** Lists the possible values. Alternatives with a \`\${NAME}\` are left out, because the document explains them once. */
function possibleValues(node: Node): string {
  const fixed = node.anyOf?.[0] ?? node;
  if (fixed.enum) return listed(fixed.enum.map(String));
  if (fixed.const !== undefined) return `\`${fixed.const}\`${node.anyOf?.some(isMapping) ? ", or the keys below" : ""}`;
  if (fixed.format === "uri") return "a URL";
  return typeNames[fixed.type ?? ""] ?? `a ${fixed.type}`;
}

const isMapping = (node: Node) => node.properties !== undefined;
