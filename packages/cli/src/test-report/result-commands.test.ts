import { expect, test } from "vitest";
import { formatResumeCommand, resultCommands } from "./result-commands.ts";

test("commands are quoted for a shell", () => {
  const { showCase, replay, showRun } = resultCommands("20261122-k3f9", { projectDir: "../my desk" });
  expect(showCase("knows the hours", undefined)).toBe(
    'bridle test show 20261122-k3f9 --case "knows the hours" --project-dir "../my desk"',
  );
  expect(showCase("it's $5", 2)).toContain("--case 'it'\\''s $5' --trial 2");
  expect(replay("run-1")).toBe('bridle replay run-1 --project-dir "../my desk"');
  expect(showRun("i")).toBe('bridle test show i --project-dir "../my desk"');
});

test.each([
  [["test"], "bridle test --resume i"],
  [["test", "a.yaml", "--case", "two words"], 'bridle test a.yaml --case "two words" --resume i'],
  [["test", "--resume", "--json"], "bridle test --json --resume i"],
  [["test", "--resume", "old", "--json"], "bridle test --json --resume i"],
  [["test", "--resume=old", "a.yaml"], "bridle test a.yaml --resume i"],
])("the command that resumes %j is %j", (words, line) => {
  expect(formatResumeCommand(words, "i")).toBe(line);
});
