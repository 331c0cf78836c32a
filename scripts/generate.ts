/**
 * Writes the generated documents: the command reference from the help texts, the `bridle.yaml` reference from its schema, the server API
 * reference from its routes, the worked examples of metrics from their data, the ingest guides in one file, and the examples from the
 * templates of `bridle init`. With `--check`, writes nothing and fails if a file is stale, or if a copy contains a file that is not in its
 * template.
 */
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { questionFileSchema } from "@bridle/context";
import { metrics } from "@bridle/metrics";
import { semanticModelSchema } from "@bridle/semantic";
import { runCli } from "../packages/cli/src/command/cli-for-tests.ts";
import { namedSchemas } from "../packages/server/src/api/named-schemas.ts";
import { nativeApi } from "../packages/server/src/serve/open-apis.ts";
import { root } from "./packages.ts";
import { agentReference } from "./reference/agent.ts";
import { clientTypes } from "./reference/client-types.ts";
import { commandReference } from "./reference/commands.ts";
import { configurationReference } from "./reference/configuration.ts";
import { withMetricTables, withWorkedExamples } from "./reference/metrics.ts";
import { modelReference } from "./reference/models.ts";
import { questionReference } from "./reference/questions.ts";
import { serverApiReference } from "./reference/server-api.ts";

/** Folders that are copies, and the folders that they are copied from. */
const copies = {
  "examples/support-desk": "packages/bridle/templates/support",
  "examples/order-desk": "packages/bridle/templates/orders",
  "examples/extractor": "packages/bridle/templates/extractor",
  "examples/team": "packages/bridle/templates/team",
};
const files: Record<string, string> = {
  "docs/reference/cli.md": await commandReference(bridle),
  "docs/reference/configuration.md": configurationReference(JSON.parse(await bridle("config", "schema"))),
  "docs/reference/agent-reference.md": agentReference(JSON.parse(await bridle("agent", "schema"))),
  "docs/reference/question-reference.md": questionReference(questionFileSchema),
  "docs/reference/model-reference.md": modelReference(semanticModelSchema),
  "docs/reference/server-api.md": serverApiReference(nativeApi({ version: "", basePath: "" }).routes),
  "docs/guides/agents/metrics.md": withMetricTables(current("docs/guides/agents/metrics.md"), metrics),
  "packages/client/src/api-types.ts": clientTypes(namedSchemas),
  "packages/ingest/src/skills/skill-texts.json": skillTexts(),
  ...metricPages(),
  ...Object.assign({}, ...Object.entries(copies).map(([to, from]) => copyOf(from, to))),
};
const isCheck = process.argv.includes("--check");
const stale = Object.entries(files).filter(([path, text]) => current(path) !== text);
/** Does not compare hidden files, such as event logs, which come from trying an example. */
const surplus = Object.keys(copies).flatMap((folder) =>
  filesIn(folder)
    .filter((name) => !name.startsWith(".") && !(join(folder, name) in files))
    .map((name) => join(folder, name)),
);

for (const [path, text] of stale) {
  if (isCheck) console.error(`${path} is stale. Run "npm run generate".`);
  else write(join(root, path), text);
}
for (const path of surplus) console.error(`${path} is in no template. Remove it, or add it to the template.`);
process.exitCode = (isCheck && stale.length > 0) || surplus.length > 0 ? 1 : 0;

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function current(path: string): string {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** Returns the metric pages with their tables, by path. */
function metricPages(): Record<string, string> {
  const paths = globSync("docs/reference/metrics/*.md", { cwd: root }).sort();
  const examples = (metric: string) => current(`packages/metrics/examples/${metric}.json`);
  return Object.fromEntries(paths.map((path) => [path, withWorkedExamples(current(path), examples)]));
}

/** Returns the ingest guides for models, by name. The guides are written to one JSON file, because a built package contains no Markdown. */
function skillTexts(): string {
  const folder = "packages/ingest/src/skills/ingest-skills";
  const names = globSync("*.md", { cwd: join(root, folder) }).sort();
  const texts = names.map((name) => [name.replace(/\.md$/, ""), current(`${folder}/${name}`)]);
  return `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`;
}

/** Reads every file of a folder. The keys are the files' paths in another folder. */
function copyOf(from: string, to: string): Record<string, string> {
  return Object.fromEntries(filesIn(from).map((path) => [join(to, path), current(join(from, path))]));
}

/** Lists the paths of a folder's files, except output of runs. */
function filesIn(folder: string): string[] {
  const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  const paths = files.map(({ parentPath, name }) => relative(join(root, folder), join(parentPath, name)));
  return paths.filter((path) => !path.startsWith(".bridle"));
}

/**
 * Runs the command from its sources in this process, and returns its output. A process per command would be slow, because each would load
 * all modules again.
 */
async function bridle(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(words, { cwd: root });
  if (code !== 0) throw new Error(`bridle ${words.join(" ")} ended with ${code}: ${stderr}`);
  return stdout;
}
