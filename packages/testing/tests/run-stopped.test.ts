/** Tests the reasons for stopping tests, the results that remain, and how the tests resume. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseScript, startRehearsal } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { createTestProject, head, script, trialOf, withTools } from "./test-project.ts";

const answered = "evaluations: [{ type: standard, metric: contains, value: shipped }]";
const cases = (...names: string[]) =>
  `test_cases:\n${names.map((name) => `  - { name: ${name}, input: Ask ${name}, ${answered} }\n`).join("")}`;
const outcomes = (run: { cases: readonly { name: string; outcome: string }[] }) =>
  run.cases.map(({ name, outcome }) => `${name} ${outcome}`);

const shipped = "{ say: It has shipped. }";
const calling = (name: string, last = shipped) =>
  `{ when: { user: Ask ${name} }, steps: [{ call: lookup, with: { id: ${name} } }, ${last}] }`;

/** Four cases, which each call a tool that writes a line. The last two never end. */
const stuck = "{ say: One moment., stall: true }";
const halfStuck = {
  "agent.yaml": head + withTools + cases("a", "b", "c", "d"),
  "script.yaml": script(calling("a"), calling("b"), calling("c", stuck), calling("d", stuck)),
};

test("an interruption aborts running trials, keeps finished results, and a resumption runs only the rest", async () => {
  const testProject = await createTestProject(halfStuck);
  const stopping = new AbortController();
  let ended = 0;
  const run = await testProject.test({
    parallel: 2,
    signal: stopping.signal,
    onProgress(progress) {
      if (progress.type === "trial.finished") ended += 1;
      if (ended === 2) setTimeout(() => stopping.abort(), 300);
    },
  });
  expect(outcomes(run)).toEqual(["a passed", "b passed", "c not-run", "d not-run"]);
  expect(run).toMatchObject({ state: "unfinished", stop: { reason: "interrupted" } });
  await testProject.write({ "calls.txt": "" });
  const stopped = testProject.test({ resume: run.id, cases: ["a"] });
  await expect(stopped).rejects.toThrow(
    `${run.id} cannot be resumed with these options: the choice of cases was a, b, c, d, and is now a.`,
  );
  await expect(testProject.test({ resume: run.id, trials: 3 })).rejects.toThrow(
    "the number of trials was 1, and is now 3",
  );
  await expect(testProject.test({ resume: run.id, backend: "openai", model: "m" })).rejects.toThrow(
    "the backend was anthropic, and is now openai",
  );
  expect(await testProject.calls()).toEqual([]);
});

async function until(child: ChildProcess, lines: number): Promise<void> {
  let seen = "";
  for await (const data of child.stdout ?? []) {
    seen += String(data);
    if (seen.split("\n").length > lines) return;
  }
}

const { PATH, NODE_COMPILE_CACHE } = process.env;
const startOwner = (folder: string) =>
  spawn(process.execPath, ["--conditions=@bridle/source", join(import.meta.dirname, "run-owner.ts"), folder], {
    env: { PATH, NODE_COMPILE_CACHE, HOME: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });

test("after a kill finished results stay, and a resumption runs only the rest", async () => {
  const testProject = await createTestProject(halfStuck);
  const owner = startOwner(testProject.folder);
  await until(owner, 2);
  owner.kill("SIGKILL");
  if (owner.exitCode === null && owner.signalCode === null) await once(owner, "exit");
  const before = await testProject.calls();
  expect(before.slice(0, 2).toSorted()).toEqual(["lookup a", "lookup b"]);
  await testProject.write({ "calls.txt": "" });
  const stopping = new AbortController();
  const run = await testProject.test({
    resume: "newest",
    signal: stopping.signal,
    onProgress(progress) {
      if (progress.type === "trial.started" && progress.case === "d") setTimeout(() => stopping.abort(), 1500);
    },
  });
  expect(outcomes(run)).toEqual(["a passed", "b passed", "c not-run", "d not-run"]);
  expect((await testProject.calls()).toSorted()).toEqual(["lookup c", "lookup d"]);
  const [begun] = testProject.progress;
  expect(begun?.type === "begun" && begun.finished.map((each) => each.case)).toEqual(["a", "b"]);
  expect(run).toMatchObject({ resumed: 1, state: "unfinished", stop: { reason: "interrupted" } });
});

test("changed tests cannot be resumed, and a finished invocation is returned unchanged", async () => {
  const testProject = await createTestProject({
    "agent.yaml": head + cases("a"),
    "script.yaml": script(`{ steps: [${shipped}] }`),
  });
  const run = await testProject.test();
  const again = await testProject.test({ resume: run.id, rehearse: undefined }); // with its own script again
  expect(again).toEqual(run);
  await testProject.write({ "agent.yaml": (head + cases("a")).replace("Be kind", "Be brief") });
  await expect(testProject.test({ resume: "newest" })).rejects.toThrow(
    `The text of the instructions has changed since ${run.id} began, so the results cannot be combined.`,
  );
  await testProject.write({ "agent.yaml": head + cases("a", "b") });
  await expect(testProject.test({ resume: "newest" })).rejects.toThrow("The agent file agent.yaml has changed");
  await testProject.write({ "agent.yaml": head + cases("a"), "script.yaml": script("{ steps: [{ say: No. }] }") });
  await expect(testProject.test({ resume: "newest" })).rejects.toThrow("the script of the rehearsal, has changed");
  const rules = "policy: { mode: read-only }\n";
  await testProject.write({ "bridle.yaml": rules, "script.yaml": script(`{ steps: [${shipped}] }`) });
  await expect(testProject.test({ resume: "newest" })).rejects.toThrow("policy in bridle.yaml has changed");
  await testProject.write({ "agent.yaml": head.replace("desk", "shop") + cases("a") });
  await expect(testProject.test({ resume: "newest" })).rejects.toThrow(
    "tests the agent desk of agent.yaml, and this is shop",
  );
});

test("with fail-fast the first trial that does not pass is the last one", async () => {
  const testProject = await createTestProject({
    "agent.yaml": head + cases("a", "b", "c", "d"),
    "script.yaml": script(
      "{ when: { user: Ask a }, steps: [{ say: It has shipped. }] }",
      "{ when: { user: Ask b }, steps: [{ say: Who knows. }] }",
      "{ steps: [{ say: One moment., stall: true }] }",
    ),
  });
  const run = await testProject.test({ failFast: true, parallel: 3 });
  expect(outcomes(run)).toEqual(["a passed", "b failed", "c not-run", "d not-run"]);
  expect(run).toMatchObject({
    state: "unfinished",
    stop: { reason: "fail-fast", message: expect.stringContaining('"b"') },
  });
});

/** Creates an agent on a separate server, which the whole invocation shares. */
async function served(text: string, limits = "") {
  const server = await startRehearsal({ script: parseScript(text) });
  onTestFinished(() => server.close());
  const testProject = await createTestProject({
    "bridle.yaml": limits,
    "agent.yaml": `name: desk
model: { provider: anthropic, name: m, api_key: "\${KEY}", endpoint: "${server.url}" }
instructions: { inline: Be kind. }
${cases("a", "b", "c")}`,
  });
  const run = (options = {}) =>
    testProject.test({ rehearse: undefined, parallel: 1, ...options }, { KEY: `key of ${testProject.folder}` });
  return { testProject, server, run };
}

test("a used-up window stops the tests with its opening time, and a resumption runs the rest", async () => {
  const { run, server } = await served(
    script(
      "{ when: { user: Ask b }, steps: [{ limit: { resets_in_seconds: 2 } }, { say: It has shipped. }] }",
      "{ steps: [{ say: It has shipped. }] }",
    ),
  );
  const stopped = await run();
  expect(outcomes(stopped)).toEqual(["a passed", "b not-run", "c not-run"]);
  expect(stopped.stop).toMatchObject({ reason: "usage-limit", code: "usage_limit" });
  expect(stopped.stop?.message).toMatch(/is used up\. It opens again .* It opens at \d{4}-.*Z\.$/);
  await new Promise((resolve) => setTimeout(resolve, 2200));
  const before = server.requests.length;
  const rest = await run({ resume: "newest" });
  expect(outcomes(rest)).toEqual(["a passed", "b passed", "c passed"]);
  expect(rest).toMatchObject({ state: "finished", stop: null, resumed: 1 });
  expect(server.requests.length - before).toBe(2);
});

test("a used-up window of a judge stops the tests, and trials without a score run again", async () => {
  const { run, testProject } = await served(
    script(
      "{ when: { user: Ask a }, steps: [{ say: It has shipped. }] }",
      "{ when: { user: Ask }, steps: [{ say: It has shipped. }] }",
      "{ steps: [{ limit: { resets_in_seconds: 60 } }] }",
    ),
  );
  const text = await readFile(join(testProject.folder, "agent.yaml"), "utf8");
  const judged = "evaluations: [{ type: geval, name: kindness, criteria: Kind., evaluation_steps: [Look.] }]";
  await testProject.write({ "agent.yaml": text.replace(`b, input: Ask b, ${answered}`, `b, input: Ask b, ${judged}`) });
  const stopped = await run();
  expect(outcomes(stopped)).toEqual(["a passed", "b not-run", "c not-run"]);
  expect(stopped.stop).toMatchObject({ reason: "usage-limit", code: "usage_limit" });
});

test("if configured, tests wait for a used-up window and report until when", async () => {
  const { run, testProject } = await served(
    script(
      "{ when: { user: Ask b }, steps: [{ limit: { resets_in_seconds: 2 } }, { say: It has shipped. }] }",
      "{ steps: [{ say: It has shipped. }] }",
    ),
    "llm: { limits: { onUsageLimit: wait } }\n",
  );
  const done = await run({ parallel: 3 });
  expect(outcomes(done)).toEqual(["a passed", "b passed", "c passed"]);
  const waits = testProject.progress.filter(({ type }) => type === "waiting");
  expect(waits).toMatchObject([{ message: expect.stringContaining("Trials wait until it opens again, at ") }]);
  expect(trialOf(done, "b").turns[0]?.durationMs).toBeLessThan(1500);
});

test("a refused login stops the tests and does not count against the agent", async () => {
  const { run } = await served(
    script("{ steps: [{ status: 401, error_type: authentication_error, message: No such key. }] }"),
  );
  const stopped = await run();
  expect(outcomes(stopped)).toEqual(["a not-run", "b not-run", "c not-run"]);
  expect(stopped.stop).toMatchObject({ reason: "authentication", code: "authentication" });
});

test("a resumption repeats trials in which the host failed, and no other failed ones", async () => {
  const { run, server } = await served(
    script(
      "{ when: { user: Ask a }, steps: [{ status: 529, error_type: overloaded_error, message: Busy., times: 4, headers: { retry-after: 0 } }, { say: It has shipped. }] }",
      "{ when: { user: Ask b }, steps: [{ say: Who knows. }] }",
      "{ steps: [{ say: It has shipped. }] }",
    ),
  );
  const first = await run();
  expect(outcomes(first)).toEqual(["a errored", "b failed", "c passed"]);
  expect(first.state).toBe("finished");
  const before = server.requests.length;
  const again = await run({ resume: first.id });
  expect(outcomes(again)).toEqual(["a passed", "b failed", "c passed"]);
  expect(server.requests.length - before).toBe(1);
});
