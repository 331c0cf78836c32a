/** The provider on two hosts: an API of a model, and the real Claude Code. A script answers in place of the model. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { type AgentRuntime, createRuntime, type EventOf } from "bridle";
import { BridleProvider } from "./adapter.ts";
import { type Conversation, converse, ToolExecutor } from "./assistant.ts";
import type { ApprovalDecision, ProviderMessage, Tool } from "./port.ts";

const rehearse = join(import.meta.dirname, "rehearsal.yaml");
const path = { type: "string" };
const objectOf = (properties: Record<string, unknown>) => ({ type: "object", properties, required: ["path"] });

for (const backend of ["anthropic", "claude-code"] as const) {
  describe(`the port of Lace on ${backend}`, () => {
    let runtime: AgentRuntime;
    let files: Record<string, string>;
    let answers: Record<string, ApprovalDecision>;
    let asked: string[];
    let messages: ProviderMessage[];
    let application: Conversation & { provider: BridleProvider };
    const inputs: EventOf<"model.input">[] = [];

    const read: Tool = {
      name: "read_file",
      description: "Reads a file.",
      inputSchema: objectOf({ path }),
      annotations: { readOnlyHint: true },
      execute: async (input) => files[String(input.path)] ?? "There is no such file.",
    };
    const write: Tool = {
      name: "write_file",
      description: "Writes a file.",
      inputSchema: objectOf({ path, text: { type: "string" } }),
      async execute(input) {
        files[String(input.path)] = String(input.text);
        return "written";
      },
    };
    const tools = [read, write];

    function start() {
      const requestApproval = async (tool: string) => {
        asked.push(tool);
        return answers[tool] ?? "allow_once";
      };
      const provider = new BridleProvider(runtime, "sonnet");
      provider.setSystemPrompt("You edit files.");
      return { provider, tools, executor: new ToolExecutor(tools, { requestApproval }) };
    }

    before(async () => {
      const onEvent: Parameters<typeof createRuntime>[0] = {
        onEvent: (event) => event.type === "model.input" && inputs.push(event),
      };
      runtime = await createRuntime({ backend, rehearse, ...onEvent });
    });
    after(() => runtime.close());
    beforeEach(() => {
      [files, answers, asked, messages, inputs.length] = [{ "a.md": "Old", "b.md": "Other" }, {}, [], [], 0];
      application = start();
    });
    afterEach(() => application.provider.cleanup());

    test("a response has the text, the tokens and the reason why it ended", async () => {
      const response = await application.provider.createResponse([{ role: "user", content: "Say hello" }], []);
      const usage = { promptTokens: 12, completionTokens: 3 };
      assert.deepEqual(response, { content: "Hello there.", toolCalls: [], stopReason: "stop", usage });
    });

    test("a streamed response comes in pieces, and then as a whole", async () => {
      const events: string[] = [];
      application.provider.on("token", ({ token }) => events.push(token));
      application.provider.on("complete", ({ response }) => events.push(`complete: ${response.content}`));
      await converse(messages, "Say hello", application);
      assert.equal(events.slice(0, -1).join(""), "Hello there.");
      assert.equal(events.at(-1), "complete: Hello there.");
    });

    test("the application runs the calls, one in each response, and the model gets their results", async () => {
      assert.equal(await converse(messages, "Fix the title", application), "It said: written");
      const calls = messages.flatMap(({ toolCalls = [] }) =>
        toolCalls.map(({ name, input }) => `${name} ${input.path}`),
      );
      assert.deepEqual(calls, ["read_file a.md", "read_file b.md", "write_file a.md"]);
      assert.deepEqual(files, { "a.md": "New", "b.md": "Other" });
      assert.equal(inputs.length, 1); // one run of Bridle
    });

    test("a person is asked once about a tool that is allowed for the session", async () => {
      answers = { read_file: "allow_session" };
      await converse(messages, "Fix the title", application);
      assert.deepEqual(asked, ["read_file", "write_file"]);
    });

    test("the model learns that a person denied a call", async () => {
      answers = { write_file: "deny" };
      assert.match(await converse(messages, "Fix the title", application), /A person denied this call/);
      assert.equal(files["a.md"], "Old");
    });

    test("the next message continues the same conversation", async () => {
      await converse(messages, "Fix the title", application);
      await converse(messages, "Which title is it?", application);
      assert.deepEqual([inputs.length, inputs[1]?.history?.messages], [2, 6]);
    });

    test("another process continues from the messages that the application stored", async () => {
      await converse(messages, "Fix the title", application);
      const stored: ProviderMessage[] = JSON.parse(JSON.stringify(messages));
      await application.provider.cleanup();
      application = start();
      assert.equal(await converse(stored, "Which title is it?", application), "The title is New.");
      assert.equal(inputs[1]?.history?.messages, 8); // each call is in a response of its own
    });

    test("another process continues from results that the model has not seen", async () => {
      const { provider } = application;
      const asks: ProviderMessage = { role: "user", content: "Fix the title" };
      const { content, toolCalls } = await provider.createResponse([asks], tools);
      await provider.cleanup();
      application = start();
      const results = toolCalls.map(({ id }) => {
        return { id, content: [{ type: "text" as const, text: "Old" }], isError: false };
      });
      const stored: ProviderMessage[] = [asks, { role: "assistant", content, toolCalls }];
      stored.push({ role: "user", content: "", toolResults: results });
      const next = await application.provider.createResponse(stored, tools);
      assert.equal(next.content, "I continued with the results.");
    });

    test("an abort rejects with an AbortError, and the conversation can continue", async () => {
      const controller = new AbortController();
      const execute = async () => {
        controller.abort();
        return "too late";
      };
      const aborting = [{ ...read, execute }, write];
      const executor = new ToolExecutor(aborting, { requestApproval: async () => "allow_once" });
      const { signal } = controller;
      const aborted = converse(messages, "Fix the title", { ...application, executor, signal });
      await assert.rejects(aborted, { name: "AbortError" });
      assert.equal(await converse(messages, "Which title is it?", application), "The title is New.");
    });

    test("a failure rejects with Bridle's error, which says whether to try again", async () => {
      const failed = converse(messages, "refused", application);
      await assert.rejects(failed, { code: "invalid_request", retryable: false });
    });
  });
}
