import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readQuestions } from "./read-questions.ts";

function folders() {
  const top = mkdtempSync(join(tmpdir(), "bridle-questions-"));
  onTestFinished(() => rmSync(top, { recursive: true }));
  const projectDir = join(top, "project");
  mkdirSync(join(projectDir, "context/questions"), { recursive: true });
  return { top, projectDir, at: (name: string) => join(projectDir, "context/questions", name) };
}

const text = "questions: [{ question: How many orders are there?, rows: [[3]] }]\n";

test("a link in context/questions that leads out of the project is a problem, and nothing of its file is shown", () => {
  const { top, projectDir, at } = folders();
  writeFileSync(join(top, "private.yaml"), "s3cr3t: [\n");
  symlinkSync(join(top, "private.yaml"), at("a.yaml"));
  writeFileSync(at("b.yaml"), text);
  symlinkSync(at("b.yaml"), at("c.yml"));
  const { questions, problems } = readQuestions({ projectDir, connections: ["shop"] });
  expect(questions.map(({ question }) => question)).toEqual(["How many orders are there?"]);
  expect(problems.map(({ message, position }) => [position.file, message])).toEqual([
    ["context/questions/a.yaml", "The file cannot be read: it is a link that leads out of the project. Remove it."],
    ["context/questions/c.yml", expect.stringContaining("Two questions are named")],
  ]);
});

test("a file of questions that the user names is read, also through a link", () => {
  const { top, projectDir } = folders();
  writeFileSync(join(top, "mine.yaml"), text);
  symlinkSync(join(top, "mine.yaml"), join(projectDir, "link.yaml"));
  const { questions, problems } = readQuestions({
    projectDir,
    connections: ["shop"],
    files: [join(projectDir, "link.yaml")],
  });
  expect([questions.length, problems]).toEqual([1, []]);
});
