import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRuntime } from "@bridle/project";
import { testRunJsonSchema } from "@bridle/testing";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { runCli, type TestOptions } from "../../command/cli-for-tests.ts";

let cwd = "";
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-test-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  await write("bridle.yaml", "llm: { provider: { backend: anthropic, apiKey: k }, models: { default: model-1 } }\n");
  await write("agent.yaml", agent);
  await write("rehearsal.yaml", script);
});

const agent = `
name: desk
instructions: { inline: Help. }
test_cases:
  - { name: greets, input: Hi, evaluations: [{ type: standard, metric: contains, value: Hello }] }
  - { name: knows the hours, input: Open on Sundays?, evaluations: [{ type: standard, metric: contains, value: closed }] }
`;
const script = `
rehearsal: 1
turns:
  - { when: { user: Hi }, steps: [{ say: Hello. }] }
  - { when: { user: refused }, steps: [{ status: 401, forever: true }] }
  - { when: { user: broken }, steps: [{ status: 400, message: Out of order. }] }
  - { when: { user: unpaid }, steps: [{ status: 402, error_type: billing_error, forever: true }] }
  - { when: { user: used up }, steps: [{ limit: { resets_in_seconds: 7200 } }] }
  - { steps: [{ say: That I do not know., delay_ms: 50 }] }
`;
const asking = (input: string) =>
  `name: desk\ninstructions: { inline: Help. }\ntest_cases:\n  - { name: asks, input: ${input}, evaluations: [{ type: standard, metric: contains, value: Hello }] }\n`;

const write = (name: string, text: string) => writeFile(join(cwd, name), text);
const bridle = (words: readonly string[], options: TestOptions = {}) =>
  runCli([...words, "--project-dir", cwd], {
    cwd,
    environment: { HOME: cwd },
    createRuntime: (own) => createRuntime(own),
    ...options,
  });
const tested = (...words: string[]) => bridle(["test", "--rehearse", join(cwd, "rehearsal.yaml"), ...words]);

describe("bridle test", () => {
  test("exits with 1 if a case fails, prints each case on standard error and the reasons on standard output", async () => {
    const { code, stdout, stderr } = await tested();
    expect(code).toBe(1);
    expect(stderr.split("\n").toSorted()).toEqual([
      "",
      expect.stringMatching(/^✓ greets \(.*s\)$/),
      expect.stringMatching(/^✗ knows the hours \(.+\): contains "closed": expected ≥ 1, got 0/),
    ]);
    expect(stdout).toMatch(
      /^✗ knows the hours \(.*\)\n {2}asked {5}Open on Sundays\?\n {2}answered {2}That I do not know\.\n/,
    );
    expect(stdout).toMatch(
      /\n {2}see {7}bridle test show (\S+) --case "knows the hours" --project-dir \S+\n {12}bridle replay run_\w+ /,
    );
    expect(stdout).toMatch(
      /\n1 of 2 cases passed, 1 failed\nin .*; rehearsed by .*rehearsal\.yaml, as model-1 on anthropic\n/,
    );
  });

  test("the suggested commands work", async () => {
    const { stdout } = await tested();
    const [, id = "", run = ""] = /bridle test show (\S+) [\s\S]*bridle replay (\S+)/.exec(stdout) ?? [];
    expect((await bridle(["test", "show", id, "--case", "knows the hours"])).stdout).toContain("> Open on Sundays?");
    expect((await bridle(["replay", "--fast", run])).stdout).toBe("> Open on Sundays?\n\nThat I do not know.\n");
  });

  test("exits with 0 if all cases pass; --case selects one or several cases by name", async () => {
    expect(await tested("--case", "greets")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/1 of 1 case passed/),
    });
    const both = await tested("--case", "knows the hours", "--case", "greets", "--json");
    expect(JSON.parse(both.stdout).plan.cases).toEqual(["greets", "knows the hours"]);
  });

  test("exits with 2 for an unknown case, and for an agent without cases", async () => {
    expect(await tested("--case", "greet")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Did you mean "greets"\?/),
    });
    await write("agent.yaml", "name: desk\ninstructions: { inline: Help. }\n");
    expect(await tested()).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/has no test cases/) });
  });

  test("exits with 3 for missing or invalid files, and suggests the nearest name", async () => {
    expect(await tested("histroy")).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/Did you mean "bridle test history"\?/),
    });
    expect(await bridle(["test", "--rehearse", "no.yaml"])).toMatchObject({ code: 3, stdout: "" });
    await rm(join(cwd, "agent.yaml"));
    expect(await tested()).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^There is no agent\.yaml here\. Name/),
    });
    await write("agent.yaml", "name: desk\n");
    expect(await tested()).toMatchObject({ code: 3, stdout: "" });
  });

  test("exits with 4 if the login is refused, keeps finished cases, and prints the command to resume", async () => {
    await write("agent.yaml", asking("refused"));
    const { code, stderr } = await tested();
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /\n0 of 1 cases have ended, and are stored\. To resume:\n {2}bridle test --rehearse \S+ --project-dir \S+ --resume \S+\n$/,
    );
  });

  test("exits with 5 if the host fails or a usage window is used up", async () => {
    await write("agent.yaml", asking("used up"));
    const { code, stderr } = await tested("--on-usage-limit", "fail");
    expect({ code, stderr }).toMatchObject({ code: 5, stderr: expect.stringMatching(/used up[\s\S]*--resume \S+\n$/) });
    await write("agent.yaml", asking("unpaid"));
    const failed = await tested();
    expect(failed).toMatchObject({ code: 5, stdout: expect.stringMatching(/1 with an error of the host\n/) });
    expect(failed.stderr).toMatch(
      /\nErrors of the host do not count against the agent\. To run those cases again:\n {2}bridle test .*--resume \S+\n$/,
    );
  });

  test("--fail-fast starts no more cases, and --resume runs only the missing ones", async () => {
    await write(
      "agent.yaml",
      `${agent}  - { name: thanks, input: Hi, evaluations: [{ type: standard, metric: steps, threshold: 2 }] }\n`,
    );
    const first = await tested("--fail-fast", "--parallel", "1");
    expect(first).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/\n1 of 3 cases passed, 1 failed, 1 not run\n/),
    });
    expect(first.stderr).toMatch(
      /"knows the hours" did not pass.*\n2 of 3 cases have ended, and are stored\. To resume:\n/,
    );
    const [, words = ""] = /To resume:\n {2}bridle (.*)\n/.exec(first.stderr) ?? [];
    const { code, stdout, stderr } = await bridle(words.split(" "));
    expect(stderr).toMatch(/^2 trials ran before\. They do not run again\.\n✓ thanks \(.*\)\n$/);
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/\n2 of 3 cases passed, 1 failed\n/),
    });
  });

  test("--trials repeats each case, and the report shows how often a case passes", async () => {
    const { stdout, stderr } = await tested("--trials", "3", "--parallel", "6");
    expect(stderr).toMatch(/✓ greets \(.*\): 3 of 3 trials passed\n/);
    expect(stdout).toContain("\none of k passes (pass@k)    50%  50%  50%\n");
  });
});

describe("reports", () => {
  test("--json prints the result, and nothing else on standard output", async () => {
    const { stdout } = await tested("--json");
    expect(JSON.parse(stdout)).toMatchObject({ state: "finished", summary: { passed: 1, failed: 1 } });
    expect(z.fromJSONSchema(testRunJsonSchema()).safeParse(JSON.parse(stdout))).toMatchObject({ success: true });
    expect(await bridle(["test", "show", "--json"])).toMatchObject({ stdout });
  });

  test("--report prints a report instead, --output writes the format that the file name implies, and with --json the document is printed too", async () => {
    expect((await tested("--report", "junit")).stdout).toMatch(/^<\?xml /);
    const { stdout } = await tested("--output", "results.html");
    expect(stdout).toMatch(/1 of 2 cases passed, 1 failed\n[\s\S]*\nReport: results\.html\n$/);
    expect(await readFile(join(cwd, "results.html"), "utf8")).toMatch(/^<!doctype html>/i);
    const words = ["--json", "--output", "r.xml"];
    for (const run of [() => tested(...words), () => bridle(["test", "show", ...words])]) {
      const both = await run();
      expect(JSON.parse(both.stdout)).toMatchObject({ state: "finished" });
      expect(both.stderr).toContain("Report: r.xml");
      expect(await readFile(join(cwd, "r.xml"), "utf8")).toMatch(/^<\?xml /);
      await rm(join(cwd, "r.xml"));
    }
    await bridle(["test", "show", "--report", "markdown", "--output", "results.html"]);
    expect(await readFile(join(cwd, "results.html"), "utf8")).toMatch(/^#/);
  });

  test.each([
    [["--output", "results.txt"], 2, /selects no report\. Add --report/],
    [["--report", "xml"], 2, /one of json, markdown, junit, html/],
    [["--json", "--report", "html"], 2, /cannot be combined/],
    [["--report", "html", "--output", "nowhere/r.html"], 3, /nowhere\/r\.html cannot be written/],
  ])("%j is refused before anything runs", async (words, code, reason) => {
    const result = await tested(...words);
    expect(result).toMatchObject({ code, stderr: expect.stringMatching(reason) });
    if (words.includes("--json")) expect(JSON.parse(result.stdout)).toMatchObject({ error: { code: "usage" } });
    else expect(result.stdout).toBe("");
    expect((await bridle(["test", "history"])).stderr).toMatch(/^This project has no test runs/);
  });

  test("an HTML report is not printed to a terminal", async () => {
    const words = ["test", "--rehearse", "rehearsal.yaml", "--report", "html"];
    const { code, stderr } = await bridle(words, { isTTY: true });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(/--output\s+report\.html/) });
  });
});

describe("earlier test runs", () => {
  test("history lists the newest run first, with each case over time", async () => {
    await tested();
    await write("rehearsal.yaml", script.replace("That I do not know.", "We are closed."));
    await tested();
    const { stdout } = await bridle(["test", "history"]);
    expect(stdout).toMatch(
      /^\S+ {2}\S+ \S+, 2 of 2 cases passed, .*\n {2}desk, model-1 on anthropic, .*\n\S+ .* 1 of 2 cases/,
    );
    expect(stdout).toContain("\n  ✓✓  greets\n  ✗✓  knows the hours\n");
    expect(JSON.parse((await bridle(["test", "history", "--last", "1", "--json"])).stdout).runs).toHaveLength(1);
  });

  test("compare exits with 1 on a regression if asked to, and names it", async () => {
    await tested();
    await write("rehearsal.yaml", script.replace("Hello.", "Go away."));
    await tested();
    expect(await bridle(["test", "compare"])).toMatchObject({ code: 0, stderr: "" });
    expect(await bridle(["test", "compare", "--fail-on", "regression"])).toMatchObject({
      code: 1,
      stderr: 'Regression: "greets" passed before, and fails now.\n',
    });
    const turned = ["test", "compare", "newest", "previous", "--fail-on", "regression"];
    expect(await bridle(turned)).toMatchObject({ code: 0, stderr: "" });
    expect(await bridle(["test", "compare", "--fail-on", "anything"])).toMatchObject({ code: 2 });
  });

  test("compare lists the cases that changed, with the difference between the answers", async () => {
    await tested();
    await write("rehearsal.yaml", script.replace("That I do not know.", "We are closed."));
    await tested();
    const { code, stdout } = await bridle(["test", "compare"]);
    expect(code).toBe(0);
    expect(stdout).toContain("✓ Fixed: knows the hours\n");
    expect(stdout).toContain("\n  -  That I do not know.\n  +  We are closed.\n");
    const back = JSON.parse((await bridle(["test", "compare", "newest", "previous", "--json"])).stdout);
    expect(back.cases).toMatchObject([{ change: "still-passing" }, { change: "broken" }]);
  });

  test("show accepts part of an id and a trial, and its errors list the known ones", async () => {
    await tested("--trials", "2");
    const [{ id }] = JSON.parse((await bridle(["test", "history", "--json"])).stdout).runs;
    const one = await bridle(["test", "show", id.slice(0, 12), "--case", "greets", "--trial", "2"]);
    expect(one.stdout).toMatch(/^greets: passed\n\n✓ Trial 2: passed/);
    expect(one.stdout).not.toContain("Trial 1");
    const refusals: [string[], number, RegExp][] = [
      [["--case", "greet"], 3, /has no case "greet"\. Did you mean "greets"\?/],
      [["--case", "greets", "--trial", "3"], 3, /"greets" has no trial 3\. Trials that have run: 1, 2\./],
      [["--trial", "3"], 2, /--trial needs a case/],
      [["nothing"], 3, /no invocation "nothing"/],
    ];
    for (const [words, code, reason] of refusals) {
      expect(await bridle(["test", "show", ...words])).toMatchObject({ code, stderr: expect.stringMatching(reason) });
    }
  });

  test("a namespace has its own test runs", async () => {
    await tested("--namespace", "ada");
    expect((await bridle(["test", "history"])).stderr).toMatch(/^This project has no test runs/);
    expect((await bridle(["test", "history", "--namespace", "ada"])).stdout).toContain("knows the hours");
  });
});
