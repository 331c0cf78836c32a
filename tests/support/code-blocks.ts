import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadAgent } from "@bridle/agent";
import { ConfigError } from "@bridle/protocol";
import { parseScript } from "@bridle/rehearsal";
import { createRuntime } from "bridle";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../../scripts/packages.ts";
import { type Block, blocksOf, type Document, readDocuments } from "./markdown.ts";
import { isSoak } from "./soak.ts";
import { openTestProject, type TestProject } from "./test-project.ts";

export const documents = readDocuments(["README.md", "docs/**/*.md"]);

/** The documents whose blocks are slowest. Each starts in a different shard. */
const slowest = [
  "docs/guides/agents/testing-agents.md",
  "docs/guides/apps/rehearsal.md",
  "README.md",
  "docs/guides/apps/sessions.md",
];

/**
 * Documents that run on the real Claude Code in `npm test`: the readme, and those that are only about Claude Code's features. The others
 * run on it in `npm run soak`.
 */
const onClaudeCode = [
  "README.md",
  "docs/guides/hosts/claude-code.md",
  "docs/guides/apps/observability.md",
  "docs/guides/apps/tools.md",
];

/**
 * Runs the code in some of the documents: programs, and commands with a rehearsed model. A block that starts with a file name in a comment
 * is saved under that name for later blocks. The output of a command is compared with the `text` block that follows. A comment before a
 * block can state that it "exits with 1", and that the expected output is "standard output" alone, without progress.
 */
export function testCodeBlocks(shard: number, shards: number): void {
  const rank = ({ path }: Document) => slowest.indexOf(path) + 1 || slowest.length + 1;
  const withCode = documents.filter((each) => blocksOf(each).some(({ language }) => checks[language])); // Vitest fails empty suites
  const sorted = withCode.toSorted((a, b) => rank(a) - rank(b));
  describe.each(sorted.filter((_, index) => index % shards === shard))("$path", testDocument);
}

function testDocument(document: Document): void {
  let project: TestProject;
  beforeAll(async () => {
    project = await openTestProject(isSoak || onClaudeCode.includes(document.path) ? "claude-code" : "anthropic");
  });
  afterAll(async () => {
    await project?.close();
  });

  for (const block of blocksOf(document)) {
    const title = `line ${block.line}: ${block.code.split("\n")[0]}`;
    const check = checks[block.language];
    if (check && block.remark.startsWith("not run")) test.skip(`${title} (${block.remark})`, () => {});
    else if (check) test(title, () => check(block, project));
  }
}

type Check = (block: Block, project: TestProject) => Promise<void>;

export const checks: Readonly<Record<string, Check>> = {
  async ts(block, project) {
    const name = fileName(block) ?? `line-${block.line}.ts`;
    project.write(name, block.code);
    const isOfVitest = block.code.includes(`from "vitest"`);
    const line = isOfVitest ? `vitest run --root . ${name}` : `node ${name}`;
    await expectToEndWell(line, block, project);
  },
  async sh(block, project) {
    await expectToEndWell(`set -e\n${block.code}`, block, project);
  },
  async yaml(block, project) {
    const name = fileName(block);
    if (name !== undefined && /(?:^|\/)context\//.test(name)) project.write(name, block.code);
    else if (block.code.includes("rehearsal: 1")) {
      expect(() => parseScript(block.code, name ?? "document")).not.toThrow();
      if (name) project.write(name, block.code);
    } else if (/^instructions:/m.test(block.code)) {
      for (const [, folder = ""] of block.code.matchAll(/type: documents.*?\bsource: (\w+),/g))
        project.write(`${folder}/note.md`, "");
      await expectAgent(block.code, project, name);
    } else if (/^tools:/.test(block.code)) {
      for (const [, file = ""] of block.code.matchAll(/\b(?:file|source): ([\w./]+)/g))
        project.write(file.endsWith("/") ? `${file}note.md` : file, "");
      await expectAgent(`name: part\ninstructions: { inline: Be kind. }\n${block.code}`, project);
    } else if (/^vectorstores:\n {2}(\w+):/m.test(block.code)) {
      await expectStores(block.code, project);
    } else await expectConfiguration(block.code);
  },
};

async function expectToEndWell(line: string, { output, remark }: Block, project: TestProject): Promise<void> {
  const before = project.failures.length;
  const ended = await project.shell(remark.includes("standard output") ? `exec 2> /dev/null\n${line}` : line);
  expect(project.failures.slice(before).map(({ message }) => message)).toEqual([]);
  expect(ended.code, ended.output).toBe(Number(/exits with (\d+)/.exec(remark)?.[1] ?? 0));
  if (output !== undefined) expect(stable(ended.output)).toBe(stable(output));
}

/** Checks that an agent can be loaded from the file and the earlier files that it refers to. */
async function expectAgent(text: string, project: TestProject, name = "agent.yaml"): Promise<void> {
  project.write(name, text);
  const environment = Object.fromEntries([...text.matchAll(/\$\{(\w+)/g)].map(([, given = ""]) => [given, "given"]));
  await loadAgent(name, { environment, cwd: project.folder });
}

/** Checks that an agent next to the file can use the first store that the file configures. */
async function expectStores(text: string, project: TestProject): Promise<void> {
  const [, store] = /^vectorstores:\n {2}(\w+):/m.exec(text) ?? [];
  project.write("stores/config.yaml", text);
  project.write("stores/docs/note.md", "");
  const tool = `{ type: documents, name: search, source: docs, database: ${store} }`;
  const variables = [...text.matchAll(/\$\{\w+\}/g)].join(" ");
  const agent = `name: part\ndescription: ${variables}\ninstructions: { inline: Be kind. }\ntools: [${tool}]\n`;
  await expectAgent(agent, project, "stores/agent.yaml");
}

/** The variables that the auth modes of Claude Code need. */
const variablesOfModes = [
  "ANTHROPIC_API_KEY",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "AWS_REGION",
  "ANTHROPIC_VERTEX_PROJECT_ID",
  "CLOUD_ML_REGION",
  "ANTHROPIC_FOUNDRY_RESOURCE",
];

/**
 * Sets every variable that the text names or an auth mode needs, so that a missing credential does not count as a fault of the document.
 */
async function expectConfiguration(text: string): Promise<void> {
  const projectDir = mkdtempSync(join(root, ".bridle/config-"));
  writeFileSync(join(projectDir, "bridle.yaml"), text);
  const names = [...text.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name);
  const environment = Object.fromEntries(
    [...names, ...variablesOfModes].map((name) => [name, /URL$/.test(name) ? "https://it.example" : "given"]),
  );
  const failure = await createRuntime({ projectDir, environment })
    .then(
      (runtime) => runtime.close(),
      (error: unknown) => error,
    )
    .finally(() => rmSync(projectDir, { recursive: true }));
  expect(failure instanceof ConfigError ? failure.message : failure).toBe(undefined);
}

export function fileName({ code }: Block): string | undefined {
  return /^(?:\/\/|#) ([\w./-]+\.\w+)\n/.exec(code)?.[1];
}

/** Removes everything that differs between runs and machines. */
function stable(text: string): string {
  const lines = text
    .replaceAll(/\b\d+(\.\d+)? (ms|s)\b/g, "0 s")
    .replaceAll(/\S*packages\/bridle\//g, "bridle/")
    .replaceAll(/\b\d{8}-\d{6}-\w{4}\b/g, "ID") // ids of test runs
    .replaceAll(/\brun_\w+/g, "run_ID")
    .replaceAll("npx bridle ", "bridle ") // the guides write only bridle; here the command is local
    .replaceAll("by desk/rehearsal.yaml", "by rehearsal.yaml") // the test project is the folder above `desk`
    .replaceAll("as claude-sonnet-4-5 on anthropic", "as sonnet on claude-code"); // a faster host; `npm run soak` uses the documented host
  return lines.replaceAll(/[ \t]+$/gm, "").trim();
}
