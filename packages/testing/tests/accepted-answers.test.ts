/** Tests several accepted answers, and metrics that compare vectors, in a whole test run. */
import { loadAgent } from "@bridle/agent";
import { openProject } from "@bridle/project";
import { defineScript, startRehearsal } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { createScoringEmbedder } from "../src/metrics/scoring-embedder.ts";
import { report } from "../src/report/report.ts";
import { createTestProject, head, script, trialOf } from "./test-project.ts";

const answers = script("{ steps: [{ say: It has shipped. }] }");

test("a case with several accepted answers passes if one fits, and results keep all of them", async () => {
  const testProject = await createTestProject({
    "agent.yaml": `${head}test_cases:
  - name: fits
    input: Where is it?
    ground_truth: [It is lost., It has shipped.]
    evaluations: [{ type: standard, metric: exact_match }, { type: standard, metric: bleu }]
  - name: misses
    input: Where is it?
    ground_truth: [It is lost., Nobody knows.]
    evaluations: [{ type: standard, metric: exact_match }]
`,
    "script.yaml": answers,
  });
  const run = await testProject.test();
  expect(run.cases.map(({ name, outcome }) => [name, outcome])).toEqual([
    ["fits", "passed"],
    ["misses", "failed"],
  ]);
  expect(trialOf(run, "fits").turns[0]).toMatchObject({
    groundTruth: "It is lost.",
    otherGroundTruths: ["It has shipped."],
    metrics: [{ score: 1, expected: "It has shipped." }, { outcome: "passed" }],
  });
  expect(report(run, "html")).toContain("Nobody knows.");
});

test("a list without an accepted answer is refused", async () => {
  const testProject = await createTestProject({
    "agent.yaml": `${head}test_cases: [{ input: Where?, ground_truth: [], evaluations: [{ type: standard, metric: f1 }] }]\n`,
  });
  await expect(testProject.load()).rejects.toThrow(/ground_truth/);
});

const similar = (embeddings: string, groundTruth: string) => `${head}${embeddings}test_cases:
  - name: similar
    input: Where is it?
    ground_truth: ${groundTruth}
    evaluations: [{ type: standard, metric: semantic_similarity, threshold: 0.9 }]
`;

test("semantic_similarity compares the answer with the embedder of the agent file, and fails without one", async () => {
  const embeddings = "embedding_provider: { provider: ollama, name: any }\n";
  const testProject = await createTestProject({
    "agent.yaml": similar(embeddings, "It has shipped."),
    "script.yaml": answers,
  });
  expect(trialOf(await testProject.test(), "similar").failures).toEqual([]);
  await testProject.write({ "agent.yaml": similar(embeddings, "Something completely different") });
  const [far] = trialOf(await testProject.test(), "similar").failures;
  expect(far).toMatchObject({
    kind: "metric",
    message: expect.stringMatching(/^semantic_similarity: expected ≥ 0\.9/),
  });
  await testProject.write({ "agent.yaml": similar("", "It has shipped.") });
  const [none] = trialOf(await testProject.test(), "similar").failures;
  expect(none).toMatchObject({
    kind: "metric-error",
    message: expect.stringContaining("Write embeddings in bridle.yaml"),
  });
});

test("vectors come from the server that bridle.yaml names, once for all texts", async () => {
  const server = await startRehearsal({
    script: defineScript({ rehearsal: 1, turns: [{ steps: [{ say: "Hello." }] }] }),
  });
  onTestFinished(() => server.close());
  const { folder } = await createTestProject({
    "bridle.yaml": `embeddings: { backend: openai-compatible, baseUrl: "${server.url}/v1", model: any, dimensions: 8 }\n`,
    "agent.yaml": similar("", "It has shipped."),
  });
  const project = await openProject({ projectDir: folder });
  const definition = await loadAgent("agent.yaml", { cwd: folder, environment: {} });
  const embedder = createScoringEmbedder(definition, project, { isRehearsed: false });
  const { vectors, model } = await embedder.embed(["a desk", "a lamp"], new AbortController().signal);
  await embedder.close();
  expect([model, vectors.map((vector) => vector.length)]).toEqual(["any", [8, 8]]);
  expect(server.requests).toHaveLength(1);
});
