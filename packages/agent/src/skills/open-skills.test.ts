import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createToolbox } from "@bridle/core";
import { type Logger, silentLogger } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { skillsConfig } from "../config/skills-config.ts";
import { openSkills } from "./open-skills.ts";

const refunds = "---\nname: refunds\ndescription: How to refund\n  an order.\n---\n\n# Refunds\n\nAsk first.\n";
const letters = "---\r\nname: letters\r\ndescription: How to write letters.\r\nlicense: MIT\r\n---\r\nBe kind.\r\n";

async function stage(files: Record<string, string>) {
  const baseDir = await mkdtemp(join(tmpdir(), "bridle-skills-"));
  onTestFinished(() => rm(baseDir, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(baseDir, path)), { recursive: true });
    await writeFile(join(baseDir, path), content);
  }
  return baseDir;
}

async function open(files: Record<string, string>, config: string[] = ["skills"], logger: Logger = silentLogger) {
  const baseDir = await stage(files);
  return { baseDir, ...(await load(baseDir, config, logger)) };
}

async function load(baseDir: string, config: string[], logger: Logger = silentLogger) {
  const { tools, instructions } = await openSkills(skillsConfig.parse(config), { baseDir, logger });
  const [tool] = tools;
  if (!tool) throw new Error("no tool");
  const signal = new AbortController().signal;
  const context = { signal, runId: "r", callId: "c", projectDir: baseDir, environment: {}, logger, progress: () => {} };
  return { tool, instructions, read: async (input: object) => tool.execute({ ...input }, context) };
}

const two = { "skills/refunds/SKILL.md": refunds, "skills/b/SKILL.md": letters, "skills/notes.md": "no skill" };

test("the instructions list the skills of a folder of folders, and load_skill returns the body of one", async () => {
  const { tool, instructions, read } = await open(two);
  expect(instructions).toMatch(
    /load_skill[\s\S]*\n- letters: How to write letters\.\n- refunds: How to refund an order\.$/,
  );
  expect(createToolbox([tool]).declarations[0]).toMatchObject({
    name: "load_skill",
    annotations: { readOnly: true },
    inputSchema: { properties: { name: { enum: ["letters", "refunds"] } }, required: ["name"] },
  });
  expect(await read({ name: "refunds" })).toBe("# Refunds\n\nAsk first.");
  expect(await read({ name: "letters" })).toBe("Be kind.");
});

test("a folder that is itself a skill is one skill, and a skill that is named twice counts once", async () => {
  const { instructions } = await open(two, ["skills/refunds", "./skills/refunds", "skills/b"]);
  expect(instructions).toMatch(/\n- refunds: .*\n- letters: .*$/);
});

test("further files of a skill are listed with its body and can be read by their path", async () => {
  const { read } = await open({
    ...two,
    "skills/refunds/forms/letter.md": "Dear customer",
    "skills/refunds/.hidden": "x",
  });
  expect(await read({ name: "refunds" })).toBe(
    '# Refunds\n\nAsk first.\n\nFiles of this skill. Read one with load_skill, { "name": "refunds", "file": … }:\n- forms/letter.md',
  );
  expect(await read({ name: "refunds", file: "forms/letter.md" })).toBe("Dear customer");
});

test("no file outside of the skill's folder can be read, by a path or by a link", async () => {
  const { baseDir, read } = await open({ ...two, "secret.txt": "secret", "skills/refunds-other/a.md": "other" });
  const folder = join(baseDir, "skills/refunds");
  await symlink(join(baseDir, "secret.txt"), join(folder, "link.txt"));
  await symlink(baseDir, join(folder, "up"));
  const outside = [
    "../../secret.txt",
    "../refunds-other/a.md",
    join(baseDir, "secret.txt"),
    "link.txt",
    "up/secret.txt",
  ];
  for (const file of [...outside, "forms/../../../secret.txt", "..", "."]) {
    await expect(read({ name: "refunds", file })).rejects.toThrow("is outside of the skill's folder");
  }
  expect(await read({ name: "refunds" })).not.toContain("link.txt");
});

test("a SKILL.md that is a link out of its folder is refused", async () => {
  const baseDir = await stage({ "elsewhere.md": refunds, "skills/a/b.md": "" });
  await symlink(join(baseDir, "elsewhere.md"), join(baseDir, "skills/a/SKILL.md"));
  await expect(load(baseDir, ["skills"])).rejects.toThrow(/SKILL\.md cannot be read: SKILL\.md is outside/);
});

test("reading a skill file that is missing, binary, too large or a folder fails with a reason for the model", async () => {
  const { read, baseDir } = await open({ ...two, "skills/refunds/forms/letter.md": "x" });
  const folder = join(baseDir, "skills/refunds");
  await writeFile(join(folder, "picture.png"), Buffer.from([0x89, 0x50, 0xff, 0xfe]));
  await writeFile(join(folder, "large.txt"), "a".repeat(1_000_001));
  const answer = (file: string) => expect(read({ name: "refunds", file })).rejects;
  await answer("forms/leter.md").toThrow('The skill has no file forms/leter.md. Did you mean "forms/letter.md"?');
  await answer("picture.png").toThrow("picture.png is not text.");
  await answer("large.txt").toThrow("large.txt is too large: 1000001 bytes; the limit is 1000000.");
  await answer("forms").toThrow("forms is not a file.");
});

test("allowed-tools of a skill causes a warning, because rules decide which tools may run", async () => {
  const warned: string[] = [];
  const logger = { ...silentLogger, warn: (_data: object, message: string) => void warned.push(message) };
  await open({ "skills/a/SKILL.md": "---\nname: a\ndescription: b\nallowed-tools: Bash\n---\nc" }, ["skills"], logger);
  expect(warned).toEqual([
    'allowed-tools of skills/a/SKILL.md is not used: the rules in "policy" decide which calls may run',
  ]);
});

test.each([
  ["is missing", {}, "The skill folder skills does not exist. Correct the path."],
  ["is a file", { skills: "" }, "The skill folder skills is not a folder. Name the folder of SKILL.md."],
  [
    "has no skill",
    { "skills/a/b.md": "" },
    "The skill folder skills has no SKILL.md, and neither does a folder in it. Write one, or correct the path.",
  ],
  [
    "has two skills with the same name",
    { "skills/a/SKILL.md": refunds, "skills/b/SKILL.md": refunds },
    'Two skills are named "refunds": skills/a/SKILL.md and skills/b/SKILL.md. Rename one of them.',
  ],
])("a skill folder that %s is refused with the reason", async (_title, files, sentence) => {
  await expect(open(files)).rejects.toMatchObject({ code: "config", message: sentence });
});

test.each([
  [
    "has no front matter",
    "# Refunds",
    'The skill file skills/a/SKILL.md has no front matter. Begin it with "---", name, description, and "---".',
  ],
  ["is empty", "", /has no front matter/],
  ["has no end of its front matter", "---\nname: a\n", /has no front matter/],
  ["has empty front matter", "---\n---\nb", /it needs "name"; it needs "description": the purpose of the skill/],
  ["has a list as front matter", "---\n- a\n---\nb", /it must be a mapping with name and description\./],
  ["has a name with blanks", "---\nname: a b\ndescription: c\n---\nb", /it "name" must be 1 to 64 letters/],
  ["has an empty description", '---\nname: a\ndescription: " "\n---\nb', /"description" is empty/],
  [
    "has a description that is too long",
    `---\nname: a\ndescription: ${"a".repeat(1025)}\n---\nb`,
    /longer than 1024 characters/,
  ],
  [
    "has front matter that is not valid YAML",
    "---\nname: [a\n---\nb",
    /^skills\/a\/SKILL\.md:\d+: the front matter is not valid YAML: /,
  ],
  [
    "has circular aliases",
    "---\nname: &a [*a]\ndescription: *a\n---\nb",
    /^The skill file skills\/a\/SKILL\.md has front matter that cannot be/,
  ],
  ["has no body", "---\nname: a\ndescription: c\n---\n\n", /has no text below its front matter\. Write/],
])("a SKILL.md that %s is refused with its path and the reason", async (_title, content, sentence) => {
  await expect(open({ "skills/a/SKILL.md": content })).rejects.toMatchObject({
    code: "config",
    message: typeof sentence === "string" ? sentence : expect.stringMatching(sentence),
  });
});
