/** Tests the real Claude Code as a client of `bridle mcp`. A script plays its model. */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type McpServerConfig, query } from "@anthropic-ai/claude-agent-sdk";
import { defineScript, type Rehearsal, startRehearsal } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { type Place, startCommand, untilGone } from "../support/command.ts";
import { bridleFile, createToolProject, readEvents } from "./mcp-fixture.ts";

/** Runs Claude Code with one server and without its own tools, until it answers. */
async function ask(place: Place, server: McpServerConfig): Promise<{ rehearsal: Rehearsal; answer: string }> {
  const steps = [{ call: "add", with: { a: 19, b: 23 } }, { say: "It is {{ add.result }}" }];
  const rehearsal = await startRehearsal({ script: defineScript({ rehearsal: 1, turns: [{ steps }] }) });
  onTestFinished(() => rehearsal.close());
  const home = join(place.home, "claude");
  await mkdir(home);
  let answer = "";
  const messages = query({
    prompt: "What is 19 + 23?",
    options: {
      cwd: place.project,
      model: "sonnet",
      maxTurns: 4,
      systemPrompt: "You are a test.",
      tools: [],
      settingSources: [],
      strictMcpConfig: true,
      persistSession: false,
      permissionMode: "dontAsk",
      mcpServers: { bridle: server },
      allowedTools: ["mcp__bridle__add"],
      env: {
        ANTHROPIC_API_KEY: "sk-ant-rehearsal",
        ANTHROPIC_BASE_URL: rehearsal.url,
        PATH: place.environment.PATH,
        HOME: home,
        CLAUDE_CONFIG_DIR: join(home, "config"),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
        ENABLE_TOOL_SEARCH: "false",
      },
    },
  });
  for await (const message of messages) if (message.type === "result" && "result" in message) answer = message.result;
  return { rehearsal, answer };
}

test("Claude Code calls a tool of bridle mcp on stdio, and its model reads the text of the result", async () => {
  const place = await createToolProject();
  const { environment: env } = place;
  const { rehearsal, answer } = await ask(place, {
    type: "stdio",
    command: process.execPath,
    env,
    args: [bridleFile, "mcp", "--project-dir", place.project],
  });
  expect(rehearsal.failures).toEqual([]);
  expect(answer).toBe("It is The sum is 42.");
  await untilGone(place, 60_000);
  const events = await readEvents(place);
  expect(events[0]).toMatchObject({ labels: { mcpClient: expect.stringMatching(/^claude-code \d/) } });
  expect(events).toEqual(expect.arrayContaining([expect.objectContaining({ type: "tool.finished", ok: true })]));
});

test("with --structured, Claude Code gives its model the data in the place of the text, so it is off by default", async () => {
  const place = await createToolProject();
  const { answer } = await ask(place, {
    type: "stdio",
    command: process.execPath,
    env: place.environment,
    args: [bridleFile, "mcp", "--structured", "--project-dir", place.project],
  });
  expect(answer).toBe('It is {"sum":42}'); // observed on 2.1.330
});

test("Claude Code calls a tool of bridle mcp over HTTP with a token", async () => {
  const place = await createToolProject();
  const command = startCommand(["mcp", "--http"], place);
  onTestFinished(() => void command.child.kill("SIGKILL"));
  await command.shows("Send it in the header");
  const [url = ""] = /http:\/\/\S+\/mcp/.exec(command.stdout()) ?? [];
  const { tokens } = JSON.parse(await readFile(join(place.project, ".bridle/mcp-tokens.json"), "utf8"));
  const headers = { Authorization: `Bearer ${tokens[0].token}` };
  const { answer } = await ask(place, { type: "http", url, headers });
  expect(answer).toBe("It is The sum is 42.");
  command.child.kill("SIGTERM");
  await command.ended;
});
