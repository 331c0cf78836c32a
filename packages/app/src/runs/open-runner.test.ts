import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@bridle/protocol";
import { parseScript, startRehearsal } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { createTestCli } from "../../../cli/src/command/cli-for-tests.ts";
import { loadAgentFile } from "../agents/load-agent-file.ts";
import { withProject } from "../context/project-context.ts";
import { openRunner } from "./open-runner.ts";

const agentOn = (url: string) => `name: desk
instructions: { inline: Be kind. }
model: { provider: openai-compatible, name: first-model, endpoint: "${url}/v1" }
policy: { rules: [{ tool: lookup, then: allow }] }
`;

/** Opens the runner of agent.yaml in a new project. */
async function openRunnerOf(project: string, agent: string) {
  const cwd = await mkdtemp(join(tmpdir(), "bridle-host-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  await writeFile(join(cwd, "bridle.yaml"), project);
  await writeFile(join(cwd, "agent.yaml"), agent);
  const { cli } = createTestCli([], { cwd, environment: { HOME: cwd } });
  const plan = { agent: await loadAgentFile("agent.yaml", cli), tools: [] };
  const runner = await openRunner(plan, await withProject({}, cli), { logger: silentLogger, unattended: false });
  onTestFinished(() => runner.close());
  return runner;
}

test("the models of a runner with an agent come from the agent's host", async () => {
  const script = parseScript("rehearsal: 1\nmodels: [first-model, second-model]\nturns: [{ steps: [{ say: Hi. }] }]\n");
  const model = await startRehearsal({ script });
  onTestFinished(() => model.close());
  const runner = await openRunnerOf("llm: { provider: { backend: openai } }\n", agentOn(model.url));
  const { backend, models } = await runner.models(AbortSignal.timeout(5000));
  expect(backend).toBe("openai-compatible");
  expect(models.map(({ id }) => id)).toEqual(["first-model", "second-model"]);
});

test("the rules of a runner with an agent are the agent's, then the project's denials", async () => {
  const runner = await openRunnerOf(
    "policy: { rules: [{ tool: refund, then: deny }] }\n",
    agentOn("http://127.0.0.1:1"),
  );
  const policies = await runner.policies();
  expect(policies.map(({ snapshot = "" }) => JSON.parse(snapshot).rules)).toMatchObject([
    [{ tool: "lookup", then: "allow" }],
    [{ tool: "refund", then: "deny" }],
  ]);
});
