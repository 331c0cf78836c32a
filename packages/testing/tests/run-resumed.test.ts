/** Tests that a resumption after a change to code, files or judges reports the change and runs the affected cases again. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compareTestRuns } from "../src/index.ts";
import { createTestProject, head, script, type TestProject } from "./test-project.ts";

const grader = "{ type: code, name: mine, file: grade.mjs, function: grade }";
const rubric =
  "{ type: rubric, name: kind, levels: [{ score: 1, description: Yes. }, { score: 0, description: No. }] }";
const contains = "{ type: standard, metric: contains, value: shipped }";
const pkg = (version: string) => JSON.stringify({ name: "words", version, type: "module", exports: "./index.js" });

const files = {
  "bridle.yaml": "llm: { provider: { backend: anthropic }, models: { judge: judge-1 } }\n",
  "agent.yaml": `${head}tools: [{ type: function, name: look, file: look.mjs, function: look, description: Looks., parameters: {}, annotations: { read_only: true } }]
test_cases:
  - { name: graded, input: Hi, evaluations: [${grader}] }
  - { name: plain, input: Hi, evaluations: [${contains}] }
  - { name: judged, input: Hi, evaluations: [${rubric}] }
  - { name: with file, input: Hi, files: [{ path: bill.txt, type: text }], evaluations: [${contains}] }
`,
  "grade.mjs":
    'import { wanted } from "./lib/wanted.mjs";\nexport const grade = ({ answer }) => answer.includes(wanted);\n',
  "lib/wanted.mjs": 'import { prefix } from "words";\nexport const wanted = prefix + "shipped";\n',
  "node_modules/words/package.json": pkg("1.0.0"),
  "node_modules/words/index.js": 'export const prefix = "";\n',
  "look.mjs": 'import { place } from "./lib/place.mjs";\nexport const look = () => place;\n',
  "lib/place.mjs": 'export const place = "there";\n',
  "lib/other.mjs": "export const other = 1;\n",
  "bill.txt": "A lamp.\n",
  "script.yaml": script(
    "{ when: { system: Be kind }, steps: [{ say: It has shipped. }] }",
    "{ steps: [{ object: { reason: It is., level: 1 } }] }",
  ),
};
const all = ["graded", "plain", "judged", "with file"];

/** Returns the cases that ran, and the messages about them. */
function begun({ progress }: TestProject) {
  const started = progress.flatMap((each) => (each.type === "trial.started" ? [each.case] : []));
  const warnings = progress.flatMap((each) => (each.type === "begun" ? each.warnings : []));
  return { started: all.filter((name) => started.includes(name)), told: warnings.join(" ") };
}

const changes: readonly [what: string, changed: Record<string, string>, cases: readonly string[], told: string][] = [
  [
    "a module that a grader imports",
    { "lib/wanted.mjs": files["lib/wanted.mjs"].replace('"shipped"', '"lost"') },
    ["graded"],
    'lib/wanted.mjs changed. These cases run again: "graded".',
  ],
  [
    "a package that a grader's module imports",
    { "node_modules/words/package.json": pkg("1.0.1") },
    ["graded"],
    "package words changed.",
  ],
  [
    "a module that a tool imports",
    { "lib/place.mjs": 'export const place = "here";\n' },
    all,
    "lib/place.mjs changed.",
  ],
  [
    "the model of the judge",
    { "bridle.yaml": "llm: { provider: { backend: anthropic }, models: { judge: judge-2 } }\n" },
    ["judged"],
    "the judge changed.",
  ],
  ["a file of a case", { "bill.txt": "A desk.\n" }, ["with file"], "bill.txt changed."],
  ["nothing that a case uses", { "lib/other.mjs": "export const other = 2;\n" }, [], ""],
];

test.each(changes)(
  "after a change of %s, a resumption runs the affected cases again",
  async (_, changed, cases, told) => {
    const project = await createTestProject(files);
    const run = await project.test();
    expect(begun(project)).toEqual({ started: all, told: "" });
    project.progress.length = 0;
    await project.write(changed);
    const again = await project.test({ resume: run.id });
    const { started, told: said } = begun(project);
    expect(started).toEqual(cases);
    if (told === "") expect(said).toBe("");
    else expect(said).toContain(told);
    expect(again).toMatchObject({ id: run.id, state: "finished", resumed: cases.length === 0 ? 0 : 1 });
    project.progress.length = 0;
    await project.test({ resume: run.id });
    expect(begun(project)).toEqual({ started: [], told: "" });
    const { differences } = compareTestRuns(run, again);
    expect(differences.length > 0).toBe(told !== "");
    for (const { what } of differences) expect(told).toContain(what);
  },
);

const onVertex = (more = "", { location = "us-east5", token = "first" } = {}) =>
  `llm: { provider: { backend: vertex, project: p, location: ${location}, accessToken: ${token} }, models: { default: sonnet }${more} }\n`;
const settingFiles = {
  "bridle.yaml": `${onVertex()}embeddings: { backend: openai, model: small, apiKey: none }\n`,
  "agent.yaml": `name: desk
instructions: { inline: Be kind. }
test_cases:
  - { name: graded, input: Hi, evaluations: [${contains}] }
  - { name: plain, input: Hi, ground_truth: It is sent., evaluations: [{ type: standard, metric: semantic_similarity, threshold: 0.01 }] }
  - { name: judged, input: Hi, evaluations: [{ type: standard, metric: cost, threshold: 5 }] }
`,
  "script.yaml": script("{ steps: [{ say: It has shipped. }] }"),
};
const every = ["graded", "plain", "judged"];
const small = "embeddings: { backend: openai, model: small, apiKey: none }\n";
const prices = ", prices: { sonnet: { input: 1, output: 2 } }";

test.each([
  ["the region of the provider", onVertex("", { location: "global" }) + small, every, "llm.provider changed."],
  ["a credential of the provider", onVertex("", { token: "second" }) + small, [], ""],
  ["the model of embeddings", onVertex() + small.replace("small", "large"), ["plain"], "embeddings changed."],
  ["a credential of embeddings", onVertex() + small.replace("none", "other"), [], ""],
  ["the prices", onVertex(prices) + small, ["judged"], "llm.prices changed."],
] as const)(
  "after a change of %s in bridle.yaml, a resumption runs the affected cases again",
  async (_, yaml, cases, told) => {
    const project = await createTestProject(settingFiles);
    const run = await project.test();
    expect(begun(project)).toEqual({ started: every, told: "" });
    project.progress.length = 0;
    await project.write({ "bridle.yaml": yaml });
    const again = await project.test({ resume: run.id });
    expect(begun(project).started).toEqual(cases);
    expect(begun(project).told).toContain(told);
    const { differences } = compareTestRuns(run, again);
    expect(differences.map(({ what }) => `${what} changed.`)).toEqual(told === "" ? [] : [told]);
  },
);

test.each(["bridle", "@ai-sdk/anthropic"])(
  "after an upgrade of %s, a resumption runs all cases again, and compare shows both versions",
  async (name) => {
    const project = await createTestProject(files);
    const run = await project.test();
    const now = run.plan.versions[name] ?? "";
    const path = join(project.folder, ".bridle", "test-runs", `${run.id}.jsonl`);
    const written = await readFile(path, "utf8");
    const older = written.replace(`${JSON.stringify(name)}:${JSON.stringify(now)}`, `${JSON.stringify(name)}:"0.0.1"`);
    expect(older).not.toBe(written);
    await writeFile(path, older);
    project.progress.length = 0;
    const again = await project.test({ resume: run.id });
    expect(begun(project).started).toEqual(all);
    expect(begun(project).told).toContain(`${name} (0.0.1, now ${now}) changed.`);
    const before = { ...run, plan: { ...run.plan, versions: { ...run.plan.versions, [name]: "0.0.1" } } };
    expect(compareTestRuns(before, again).differences).toEqual([{ what: name, before: "0.0.1", after: now }]);
  },
);

test("another version of Node.js changes no results", async () => {
  const project = await createTestProject(files);
  const run = await project.test();
  const path = join(project.folder, ".bridle", "test-runs", `${run.id}.jsonl`);
  const written = await readFile(path, "utf8");
  await writeFile(path, written.replace(`"node":"${process.versions.node}"`, '"node":"20.0.0"'));
  project.progress.length = 0;
  await project.test({ resume: run.id });
  expect(begun(project)).toEqual({ started: [], told: "" });
});

test("results that are no longer valid are dropped even if the resumption is interrupted", async () => {
  const project = await createTestProject(files);
  const run = await project.test();
  await project.write({ "lib/wanted.mjs": 'export const wanted = "lost";\n' });
  const stopping = new AbortController();
  const stopped = await project.test({
    resume: run.id,
    signal: stopping.signal,
    onProgress: ({ type }) => type === "trial.started" && stopping.abort(),
  });
  const outcomes = Object.fromEntries(stopped.cases.map(({ name, outcome }) => [name, outcome]));
  expect(outcomes).toMatchObject({ graded: "not-run", plain: "passed" });
  project.progress.length = 0;
  const finished = await project.test({ resume: run.id });
  expect(begun(project).started).toContain("graded");
  expect(finished.summary.notRun).toBe(0);
});
