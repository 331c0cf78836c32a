/**
 * Runs the code in the documents: programs and commands on the real Claude Code with a rehearsed model. A block that
 * starts with its file's name in a comment is kept under that name for the blocks after it. What a command prints is
 * compared with the block of text that follows it. A comment before a block can say that it "exits with 1", and that
 * what follows it is "standard output" alone, without the progress before it.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadAgent } from "@bridle/agent";
import { ConfigError } from "@bridle/protocol";
import { parseScript } from "@bridle/rehearsal";
import { createRuntime } from "bridle";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../scripts/packages.ts";
import { type Block, blocksOf, readDocuments } from "./support/markdown.ts";
import { openStage, type Stage } from "./support/stage.ts";

const documents = readDocuments(["README.md", "docs/**/*.md"]);

describe.each(documents)("$path", (document) => {
  const blocks = blocksOf(document);
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(async () => {
    await stage?.close();
  });

  for (const block of blocks) {
    const title = `line ${block.line}: ${block.code.split("\n")[0]}`;
    const check = checks[block.language];
    if (check && block.remark.startsWith("not run")) test.skip(`${title} (${block.remark})`, () => {});
    else if (check) test(title, () => check(block, stage), 60_000);
  }

  test.runIf(blocks.some(({ language }) => language === "ts"))("its programs have no type errors", async () => {
    stage.write("tsconfig.json", JSON.stringify({ extends: "../../tsconfig.json", include: ["**/*.ts"] }));
    expect(await stage.shell("tsc --noEmit -p .")).toEqual({ code: 0, output: "" });
  });
});

test("what a document may hold is known", () => {
  const languages = documents.flatMap((document) => blocksOf(document).map(({ language }) => language));
  expect(languages.filter((language) => !checks[language] && !["text", "json"].includes(language))).toEqual([]);
});

type Check = (block: Block, stage: Stage) => Promise<void>;

const checks: Readonly<Record<string, Check>> = {
  async ts(block, stage) {
    const name = fileName(block) ?? `line-${block.line}.ts`;
    stage.write(name, block.code);
    const isOfVitest = block.code.includes(`from "vitest"`);
    const line = isOfVitest ? `vitest run --root . ${name}` : `node ${name}`;
    await expectToEndWell(line, block, stage);
  },
  async sh(block, stage) {
    await expectToEndWell(`set -e\n${block.code}`, block, stage);
  },
  async yaml(block, stage) {
    const name = fileName(block);
    if (block.code.includes("rehearsal: 1")) {
      expect(() => parseScript(block.code, name ?? "document")).not.toThrow();
      if (name) stage.write(name, block.code);
    } else if (/^instructions:/m.test(block.code)) await expectAgent(block.code, stage, name);
    else await expectConfiguration(block.code);
  },
};

async function expectToEndWell(line: string, { output, remark }: Block, stage: Stage): Promise<void> {
  const before = stage.failures.length;
  const ended = await stage.shell(remark.includes("standard output") ? `exec 2> /dev/null\n${line}` : line);
  expect(stage.failures.slice(before).map(({ message }) => message)).toEqual([]);
  expect(ended.code, ended.output).toBe(Number(/exits with (\d+)/.exec(remark)?.[1] ?? 0));
  if (output !== undefined) expect(stable(ended.output)).toBe(stable(output));
}

/** The file is one that an agent can be made of, with the files before it that it names. */
async function expectAgent(text: string, stage: Stage, name = "agent.yaml"): Promise<void> {
  stage.write(name, text);
  const environment = Object.fromEntries([...text.matchAll(/\$\{(\w+)/g)].map(([, given = ""]) => [given, "given"]));
  await loadAgent(name, { environment, cwd: stage.folder });
}

/** Every variable that the text names is set: a missing credential is no fault of it. */
async function expectConfiguration(text: string): Promise<void> {
  const projectDir = mkdtempSync(join(root, ".bridle/config-"));
  writeFileSync(join(projectDir, "bridle.yaml"), text);
  const names = [...text.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name);
  const environment = Object.fromEntries(
    names.map((name) => [name, /URL$/.test(name) ? "https://it.example" : "given"]),
  );
  const failure = await createRuntime({ projectDir, environment }).then(
    (runtime) => runtime.close(),
    (error: unknown) => error,
  );
  expect(failure instanceof ConfigError ? failure.message : failure).toBe(undefined);
}

function fileName({ code }: Block): string | undefined {
  return /^(?:\/\/|#) ([\w./-]+\.\w+)\n/.exec(code)?.[1];
}

/** Without what differs from run to run and from machine to machine. */
function stable(text: string): string {
  const lines = text
    .replaceAll(/\b\d+(\.\d+)? (ms|s)\b/g, "0 s")
    .replaceAll(/\S*packages\/bridle\//g, "bridle/")
    .replaceAll(/\b\d{8}-\d{6}-\w{4}\b/g, "ID") // of tests
    .replaceAll(/\brun_\w+/g, "run_ID")
    .replaceAll("by desk/rehearsal.yaml", "by rehearsal.yaml"); // the project of the stage is the folder above
  return lines.replaceAll(/[ \t]+$/gm, "").trim();
}
