import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@bridle/protocol";
import { parseScript, startRehearsal } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { createTestCli } from "../cli/cli-for-tests.ts";
import { openHost } from "./open-host.ts";

const agentOn = (url: string) => `name: desk
instructions: { inline: Be kind. }
model: { provider: openai-compatible, name: first-model, endpoint: "${url}/v1" }
policy: { rules: [{ tool: lookup, then: allow }] }
`;

/** What a chat with agent.yaml talks to, in a project of its own. */
async function hostOf(project: string, agent: string) {
  const cwd = await mkdtemp(join(tmpdir(), "bridle-host-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  await writeFile(join(cwd, "bridle.yaml"), project);
  await writeFile(join(cwd, "agent.yaml"), agent);
  const { cli } = createTestCli([], { cwd, environment: { HOME: cwd } });
  const host = await openHost({ agent: "agent.yaml", tools: [], json: false }, cli, { logger: silentLogger });
  onTestFinished(() => host.close());
  return host;
}

test("the models of a chat with an agent are those of the agent's host", async () => {
  const script = parseScript("rehearsal: 1\nmodels: [first-model, second-model]\nturns: [{ steps: [{ say: Hi. }] }]\n");
  const model = await startRehearsal({ script });
  onTestFinished(() => model.close());
  const host = await hostOf("llm: { provider: { backend: openai } }\n", agentOn(model.url));
  const { backend, models } = await host.models(AbortSignal.timeout(5000));
  expect(backend).toBe("openai-compatible");
  expect(models.map(({ id }) => id)).toEqual(["first-model", "second-model"]);
});

test("the rules of a chat with an agent are the agent's, and then the project's, whose denials hold", async () => {
  const host = await hostOf("policy: { rules: [{ tool: refund, then: deny }] }\n", agentOn("http://127.0.0.1:1"));
  const policies = await host.policies();
  expect(policies.map(({ snapshot = "" }) => JSON.parse(snapshot).rules)).toMatchObject([
    [{ tool: "lookup", then: "allow" }],
    [{ tool: "refund", then: "deny" }],
  ]);
});
