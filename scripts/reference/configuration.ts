import { listed, type Node, nodeSchema, splitDefault, typeNames } from "./json-schema.ts";

const introduction = `<!-- Made by scripts/generate.ts from the schema of bridle.yaml. Change the schema, then run "npm run generate". -->

# Configuration

A project is a folder with a \`bridle.yaml\`. Without one, the defaults apply: the models of Claude Code, with its own login.

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

Each backend has its own keys; a key of another backend is an error that names that backend. [Backends](backends.md) describes what each needs.

## Which file is used

1. The one in \`--project-dir\` (\`projectDir\` in TypeScript).
2. Otherwise, the one in the folder that \`BRIDLE_PROJECT_DIR\` names.
3. Otherwise, the nearest one in the working directory or above.

An unknown key is refused with the nearest known one. Every message names file, line and column. Anchors and aliases are allowed;
merge keys (\`<<\`), tags and a second document are not.

## Variables

\`\${NAME}\` and \`\${NAME:-default}\` in a value are replaced from the environment after the file is parsed, so a value can never become
a key. A default cannot contain another reference.

All missing variables are reported together. There is one exception: a variable under \`llm.provider\` or \`embeddings\` that only says how
a host is reached, the one of \`eventLog.url\`, and those of \`context.connections\` and \`context.sources\`. If one is missing, only
operations that ask this host, event log, database or source fail, before anything is sent.

Values from the environment are not shown. \`status\`, \`doctor\`, errors, events and results show them as the file has them; a model is then
\`\${NAME}\`. In messages of a host, values of seven characters or more are replaced everywhere. Shorter values, such as \`opus\`, are replaced
only as separate words or in quotes. A credential written in the file is shown as its path, such as \`(llm.provider.apiKey)\`, and
\`doctor\` warns about it. The model's own words are not changed.

### Variables in a file

Commands read a \`.env\` in the folder of \`bridle.yaml\`, or in the working directory if there is none, and say on standard error which
variables they took from it:

\`\`\`text
Read from /home/ada/desk/.env: OPENAI_API_KEY, SHOP_TOKEN.
\`\`\`

Then they count as variables of the environment, for \`\${NAME}\`, for the tools of your process and for the removal of credentials.

- A variable that is set in the environment is kept, also if it is empty.
- The file has to be [trusted](../guides/agents/trust.md#variables-of-env).
- Variables of the machine such as \`PATH\`, \`HOME\` and proxies, \`BRIDLE_…\`, \`CLAUDE_CONFIG_DIR\` and those that load code, such as
  \`NODE_OPTIONS\`, are never taken from it.
- Claude Code gets only the credential of the \`auth\` mode that you choose, and what a file passes on by name.
- With \`--no-env-file\`, and in a namespace, the file is not read. Programs that call \`createRuntime()\` read their own.
- \`bridle status\` and \`bridle doctor\` say what was taken from it.
`;

const ending = `## Sources of ingest

\`bridle context ingest\` reads the entries of \`context.sources\`. The keys of an entry follow from its \`type\`;
[Sources of ingest](../guides/data/ingest-sources.md) has them all.

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

A role that is missing uses \`default\`. Write credentials as \`\${NAME}\`. Sources that reach a service, and paths outside of the
folder, are part of the [question about trust](../guides/agents/trust.md).

## In an editor

\`bridle config schema\` prints the JSON Schema. Save it next to the file, and refer to it in the first line for your editor's YAML
extension:

\`\`\`yaml
# yaml-language-server: $schema=./bridle.schema.json
llm: { models: { default: sonnet } }
\`\`\`

## Read next

- [Backends](backends.md): choosing one, credentials, limits and prices
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
