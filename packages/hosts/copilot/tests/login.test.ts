/** What the runtime does on a login of GitHub, which Bridle does not offer yet: the real runtime, and a made-up login over TLS. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultPromptCaching } from "@bridle/protocol";
import { defineScript, startRehearsal } from "@bridle/rehearsal";
import { CopilotClient, RuntimeConnection, type SessionConfig } from "@github/copilot-sdk";
import { expect, test } from "vitest";
import { sentRequests } from "../../model-api/tests/sent-requests.ts";
import { runtimeFolders } from "../src/boundary/environment.ts";
import { clientOptions, sessionOptions } from "../src/boundary/session-options.ts";
import { findRuntime } from "../src/boundary/versions.ts";
import { accountHost, modelHost, startGitHubService } from "./support/github-service.ts";
import { canary, plantTraps } from "./support/traps.ts";

const token = "gho_made_up_for_this_test";
const spec = {
  ...{ model: "gpt-6-sol", system: { static: "OURS", dynamic: "" }, tools: [], builtins: [], stepBudget: 3 },
  ...{ history: [], promptCaching: defaultPromptCaching },
};

/** With a key, the runtime does not know this server. */
const githubServer = "github-mcp-server";

/** One turn of a session with Bridle's options, among traps, in which the model calls `bash`. */
async function runOnLogin({ disabledMcpServers }: { disabledMcpServers: string[] }) {
  const root = await mkdtemp(join(tmpdir(), "bridle-copilot-login-"));
  const traps = await plantTraps(root);
  const steps = [{ call: "bash", with: { command: `echo ran > ${traps.effectFile}` } }, { say: "Hello." }];
  const rehearsal = await startRehearsal({ script: defineScript({ rehearsal: 1, turns: [{ steps }] }) });
  const github = await startGitHubService(rehearsal, root);
  const folders = runtimeFolders(join(root, "private"));
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true });
  const client = new CopilotClient({
    ...clientOptions({ ...traps.environment, ...github.environment }, folders),
    gitHubToken: token,
    connection: RuntimeConnection.forStdio({ path: findRuntime() }),
  });
  try {
    const { provider: _, ...own } = sessionOptions({ ...spec, projectDir: traps.projectDir }, { baseUrl: "" }, folders);
    const config = {
      ...own,
      disabledMcpServers,
      tools: [],
      onPermissionRequest: () => ({ kind: "reject" }),
    } satisfies SessionConfig;
    const session = await client.createSession(config);
    await session.sendAndWait("Hi @AGENTS.md", 20_000);
    const { requests, otherHosts } = github;
    return { requests: [...requests], otherHosts: [...otherHosts], model: rehearsal.requests };
  } finally {
    await client.forceStop();
    await github.close();
    await rehearsal.close();
    await rm(root, { recursive: true, force: true });
  }
}

test("on a login of GitHub the model gets only what was passed, no call of the runtime's tools runs, and three addresses are asked", async () => {
  const { requests, otherHosts, model } = await runOnLogin({ disabledMcpServers: [githubServer] });
  expect([...new Set(requests)]).toEqual([
    `${accountHost} GET /copilot_internal/user`,
    `${modelHost} GET /models`,
    `${modelHost} POST /responses`,
  ]);
  expect(otherHosts).toEqual([]);
  const [first, second] = sentRequests(model);
  expect(first).toMatchObject({ system: "OURS", tools: [], texts: ["Hi @AGENTS.md"] });
  expect(second?.texts.at(-1)).toContain("'bash' does not exist");
  expect(JSON.stringify(model)).not.toContain(canary);
});

test("on a login of GitHub, the runtime connects to GitHub's MCP server unless it is switched off", async () => {
  const { requests } = await runOnLogin({ disabledMcpServers: [] });
  expect(requests).toContain(`${modelHost} POST /mcp/readonly`);
});
