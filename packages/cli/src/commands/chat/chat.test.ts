import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runEventSchema } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { runCli, type TestOptions } from "../../command/cli-for-tests.ts";

const model = [{ steps: [{ say: "Hello." }] }];

async function chat(words: readonly string[], options: TestOptions = {}) {
  const cwd = await mkdtemp(join(tmpdir(), "bridle-chat-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  return runCli(["chat", ...words], { model, cwd, environment: { HOME: cwd }, ...options });
}

test("in a pipe, all of standard input is one prompt, and standard output has only the answer", async () => {
  const { code, stdout, stderr } = await chat([], { stdin: "one\ntwo\n" });
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "Hello.\n", stderr: "" });
});

test("with --json every event is a line in the documented form, and names its session", async () => {
  const { code, stdout } = await chat(["--json"], { stdin: "Hi" });
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => runEventSchema.parse(JSON.parse(line)));
  expect(code).toBe(0);
  expect(events.at(-1)?.type).toBe("run.finished");
  expect(events[0]?.sessionId).toMatch(/^ses_/);
});

test("--file sends a file with the first prompt only", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bridle-chat-files-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "notes.md"), "The parrot is blue.");
  const twice = [{ steps: [{ say: "Blue." }] }, { steps: [{ say: "Yes." }] }];
  const words = ["--json", "--file", join(folder, "notes.md")];
  const typed = ["Which colour?", "Sure?"];
  const { stdout } = await chat(words, { model: twice, isTTY: true, typed });
  const events = stdout
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? [runEventSchema.parse(JSON.parse(line))] : []));
  const inputs = events.flatMap((event) => (event.type === "model.input" ? [event.messages?.at(-1)?.content] : []));
  expect(inputs).toMatchObject([
    [{ text: "Which colour?" }, { type: "file", name: expect.stringMatching(/notes\.md$/) }],
    [{ text: "Sure?" }],
  ]);
});

test("on a dumb terminal each line is a prompt, until /exit or the end of the input", async () => {
  const typed = ["Hi", "", "/exit", "never"];
  const { code, stdout, stderr } = await chat([], { isTTY: true, typed, environment: { TERM: "dumb" } });
  expect(code).toBe(0);
  expect(stdout).toBe("Hello.\n");
  expect(stderr).toContain('Type one prompt on each line. "/exit" leaves.\n> ');
  expect(stderr).toMatch(/To resume: bridle chat --resume ses_\w+\n$/);
  expect((await chat([], { isTTY: true, typed: [], environment: { TERM: "dumb" } })).code).toBe(0);
});

test.each<[string, readonly string[], TestOptions, number, string]>([
  ["no prompt", [], { stdin: " " }, 2, "Standard input is empty. Pipe a prompt in"],
  ["an agent and its tools", ["a.yaml", "--tools", "t.ts"], {}, 2, "--tools and an agent cannot be combined"],
  ["an unknown agent", ["a.yaml"], { stdin: "Hi" }, 3, "a.yaml"],
  ["an unknown session", ["--resume", "lost"], { stdin: "Hi" }, 3, 'This project has no session "lost"'],
  ["the newest of no sessions", ["--continue"], { stdin: "Hi" }, 3, "This project has no session to resume"],
  ["two sessions", ["--continue", "--resume", "a"], {}, 2, "--resume and --continue cannot be combined"],
  ["an option of single answers", ["--schema", "s.json"], {}, 2, 'Unknown option "--schema"'],
])("%s is refused in a sentence", async (_what, words, options, code, sentence) => {
  const ended = await chat(words, options);
  expect(ended).toMatchObject({ code, stdout: "" });
  expect(ended.stderr).toContain(sentence);
});
