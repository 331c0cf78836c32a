/** An agent behind a real server, for clients of the protocols. Its model follows a script. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { silentLogger } from "@bridle/protocol";
import { loadScript, startRehearsal } from "@bridle/rehearsal";
import { startTlsProxy, writeFakeLogin } from "@bridle/rehearsal/tls";
import { onTestFinished } from "vitest";
import { withProject } from "../../../app/src/context/project-context.ts";
import { createRuntime } from "../../../app/src/runtime/index.ts";
import { openWorkspace } from "../../../app/src/serving/index.ts";
import { createFolder } from "../../../app/tests/support/open-test-workspace.ts";
import { createTestCli } from "../../../cli/src/command/cli-for-tests.ts";
import { createA2aApi } from "../../src/protocols/a2a/a2a-api.ts";
import { agUiApi } from "../../src/protocols/ag-ui/ag-ui-routes.ts";
import { aiSdkApi } from "../../src/protocols/ai-sdk/chat-routes.ts";
import { createMcpApi } from "../../src/protocols/mcp/mcp-api.ts";
import { openAiApi } from "../../src/protocols/openai/openai-api.ts";
import { startTestServer } from "./start-test-server.ts";

const files = {
  "agent.yaml": `name: desk
description: Answers questions about orders.
instructions: { inline: Be kind. }
tools:
  - { type: function, name: lookup, file: tools.mjs, function: lookup, description: Finds an order., parameters: { id: { type: string, description: The number. } } }
  - { type: function, name: clock, file: tools.mjs, function: clock, description: Tells the time., parameters: {} }
policy: { mode: normal, rules: [{ tool: lookup, then: ask }, { tool: clock, then: allow }] }
`,
  "tools.mjs": `export function lookup({ id }) { return "Order " + id + " is on its way."; }
export function clock() { return "noon"; }
`,
  "script.yaml": `rehearsal: 1
turns:
  - when: { user: /both orders/ }
    steps:
      - { calls: [{ call: lookup, with: { id: "7" } }, { call: lookup, with: { id: "8" } }] }
      - { say: "Both are on their way." }
  - when: { user: /order/ }
    steps:
      - { say: I will look., call: lookup, with: { id: "7" } }
      - { say: "I found: {{ lookup.result }}" }
  - when: { user: /time/ }
    steps:
      - { think: Which clock?, say: One moment., call: clock, with: {} }
      - { say: "It is {{ clock.result }}." }
  - when: { user: /story/ }
    steps: [{ say: "Once upon a time there was a desk that told very long stories, word by word.", chunk_ms: 100 }]
  - when: { user: /break/ }
    steps: [{ say: "It was a dark", cut: true, chunk_ms: 20 }, { say: "It was a bright day." }]
  - when: { user: /fail/ }
    steps: [{ status: 400, message: No such thing. }]
  - when: { user: /second/ }
    steps: [{ say: "This is the second answer." }]
  - steps: [{ say: Hello from the desk. }]
`,
};

/** `rehearsal` replaces the model. `login` uses Claude Code as users do: with a login, and the provider's own address. */
export type DeskModel = "rehearsal" | "login";

export async function startDesk(model: DeskModel = "rehearsal", others: Readonly<Record<string, string>> = {}) {
  const isLogin = model === "login";
  const provider = isLogin ? "claude-code" : "openai";
  const folder = await createFolder({
    ...files,
    ...others,
    "bridle.yaml": `llm: { provider: { backend: ${provider} }, models: { default: ${isLogin ? "sonnet" : "desk-model"} } }\n`,
  });
  const script = join(folder, "script.yaml");
  const own = { HOME: folder, PATH: process.env.PATH ?? "" };
  const environment = isLogin ? { ...own, ...(await logIn(folder, script)) } : own;
  const { cli } = createTestCli([], { cwd: folder, environment, createRuntime });
  const context = await withProject({}, cli);
  const workspace = await openWorkspace(context, isLogin ? {} : { rehearse: script });
  onTestFinished(() => workspace.close());
  const a2aApi = createA2aApi({ version: "7.0.0", logger: silentLogger });
  const mcpApi = createMcpApi({ logger: silentLogger });
  onTestFinished(() => mcpApi.close?.());
  const apis = [agUiApi, aiSdkApi, openAiApi({ showsReasoning: true }), a2aApi, mcpApi];
  const server = await startTestServer({ workspace, apis });
  return { workspace, server, authorization: `Bearer ${server.token}` };
}

async function logIn(folder: string, script: string): Promise<Record<string, string>> {
  const rehearsal = await startRehearsal({ script: await loadScript(script) });
  onTestFinished(() => rehearsal.close());
  const configDir = join(folder, "claude");
  await mkdir(configDir);
  await writeFakeLogin(configDir);
  const oauthAccount = { accountUuid: "00000000-0000-4000-8000-000000000001", emailAddress: "rehearsal@example.com" };
  await writeFile(join(configDir, ".claude.json"), JSON.stringify({ oauthAccount, userID: "0".repeat(64) }));
  const proxy = await startTlsProxy({ rehearsal, folder });
  onTestFinished(() => proxy.close());
  return { CLAUDE_CONFIG_DIR: configDir, ...proxy.environment };
}
