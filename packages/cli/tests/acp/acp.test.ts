import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { methods } from "@agentclientprotocol/sdk";
import { expect, test } from "vitest";
import { untilGone } from "../support/command.ts";
import {
  agentFile,
  choose,
  createEditorProject,
  createLoginProject,
  pause,
  runInProject,
  startEditor,
} from "./acp-fixture.ts";

const { session } = methods.agent;

test("an editor learns what the agent can do, and sees its answer piece by piece", async () => {
  const place = await createEditorProject();
  const { editor, initialized, created, id } = await startEditor(place);
  expect(initialized).toMatchObject({
    protocolVersion: 1,
    agentInfo: { name: "bridle" },
    authMethods: [],
    agentCapabilities: { loadSession: true, promptCapabilities: { image: true, embeddedContext: true } },
  });
  expect(created.modes?.currentModeId).toBe("as-configured");
  expect(created.configOptions ?? []).toEqual([]); // there is only one agent, so there is no choice
  expect(await editor.prompt(id, "stream")).toEqual({ stopReason: "end_turn" });
  const chunks = editor.updates.filter(({ update }) => update.sessionUpdate === "agent_message_chunk");
  expect(chunks.length).toBeGreaterThan(1);
  expect(editor.textOf(id)).toBe("One two three four five six.");
  expect(editor.updates).toContainEqual({
    sessionId: id,
    update: expect.objectContaining({ sessionUpdate: "session_info_update", title: "stream" }),
  });
});

test.each([
  ["allow", "end_turn", "completed", true],
  ["deny", "end_turn", "failed", false],
])("the answer %s to a question about a call decides about it", async (option, stopReason, status, isDone) => {
  const place = await createEditorProject();
  const { editor, id } = await startEditor(place, { answer: choose(option) });
  expect(await editor.prompt(id, "erase")).toEqual({ stopReason });
  expect(editor.questions).toMatchObject([
    {
      sessionId: id,
      toolCall: { title: "erase: the draft", rawInput: { what: "the draft" }, kind: "other" },
      options: expect.arrayContaining([expect.objectContaining({ optionId: "allow", kind: "allow_once" })]),
    },
  ]);
  expect(JSON.stringify(editor.questions[0]?.toolCall.content)).toContain("- the draft"); // the preview
  const statuses = editor.updates.flatMap(({ update }) => ("status" in update ? [update.status] : []));
  expect([statuses[0], statuses.at(-1)]).toEqual(["pending", status]);
  const effects = await readFile(join(place.project, "effects"), "utf8").catch(() => "");
  expect(effects).toBe(isDone ? "erase the draft\n" : "");
});

test("an editor asks an agent on Claude Code with a login, and its answer to a question decides about the call", async () => {
  const place = await createLoginProject();
  const { editor, id } = await startEditor(place, { model: "login" });
  expect(await editor.prompt(id, "erase")).toEqual({ stopReason: "end_turn" });
  expect(editor.questions).toHaveLength(1);
  expect(editor.textOf(id)).toContain("All done.");
  expect(await readFile(join(place.project, "effects"), "utf8")).toBe("erase the draft\n");
});

test("an answer that is remembered is not asked for again, and is on record with who gave it", async () => {
  const place = await createEditorProject();
  const { editor, id } = await startEditor(place, { answer: choose("allow-project") });
  await editor.prompt(id, "erase");
  const other = await editor.agent.request(session.new, { cwd: place.project, mcpServers: [] });
  expect(await editor.prompt(other.sessionId, "erase")).toEqual({ stopReason: "end_turn" });
  expect(editor.questions).toHaveLength(1);
  expect(await runInProject(place, "permissions", "list", "--json")).toContain('"tool": "erase"');
  expect(await runInProject(place, "events", id, "--json")).toMatch(/"source":"answer".*"by":"[^"]+"/);
});

test("an editor asks about the call of a nested agent as a call of its own, beside the one that started the agent", async () => {
  const place = await createEditorProject();
  const boss = agentFile("boss").replace(
    /tools:[\s\S]*/,
    "tools: [{ type: agent, name: helper, file: helper.yaml }]\n",
  );
  await writeFile(join(place.project, "helper.yaml"), `${agentFile("helper")}description: Erases.\n`);
  await writeFile(join(place.project, "agent.yaml"), `${boss}policy: { rules: [{ tool: helper, then: allow }] }\n`);
  const { editor, id } = await startEditor(place, { answer: choose("deny") });
  expect(await editor.prompt(id, "delegate")).toEqual({ stopReason: "end_turn" });
  expect(editor.questions).toMatchObject([{ toolCall: { title: "erase: the draft" } }]);
  expect(JSON.stringify(editor.questions[0]?.toolCall.content)).toContain("Asked by the agent helper.");
  const calls = editor.updates.flatMap(({ update }) => (update.sessionUpdate === "tool_call" ? [update] : []));
  expect(calls.map(({ title }) => title)).toEqual(["helper: erase", "erase: the draft"]);
  expect(editor.questions[0]?.toolCall.toolCallId).toBe(calls[1]?.toolCallId);
  const lastOf = (call: string | undefined) =>
    editor.updates.findLast(({ update }) => "toolCallId" in update && update.toolCallId === call)?.update;
  expect(calls.map(({ toolCallId }) => lastOf(toolCallId))).toMatchObject([
    { status: "completed" },
    { status: "failed" },
  ]);
});

test("a question that is answered elsewhere is taken back from the editor", async () => {
  const place = await createEditorProject();
  const taken = Promise.withResolvers<void>();
  const { editor, id } = await startEditor(place, {
    answer: (_request, signal) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => {
          taken.resolve();
          resolve({ outcome: { outcome: "cancelled" } });
        }),
      ),
  });
  const prompted = editor.prompt(id, "erase");
  while (editor.questions.length === 0) await pause();
  const { approvals } = JSON.parse(await runInProject(place, "approvals", "list", "--json"));
  await runInProject(place, "approvals", "answer", approvals[0].id, "allow");
  await taken.promise;
  expect(await prompted).toEqual({ stopReason: "end_turn" });
});

test("cancelling ends the prompt at once, also while a question is open, and the session goes on", async () => {
  const place = await createEditorProject();
  const { editor, id } = await startEditor(place, { answer: () => new Promise(() => {}) });
  const stalled = editor.prompt(id, "stall");
  await editor.sees("agent_message_chunk");
  await expect(editor.prompt(id, "again")).rejects.toThrow("in progress");
  await editor.agent.notify(session.cancel, { sessionId: id });
  expect(await stalled).toEqual({ stopReason: "cancelled" });
  const asked = editor.prompt(id, "erase");
  while (editor.questions.length === 0) await pause();
  await editor.agent.notify(session.cancel, { sessionId: id });
  expect(await asked).toEqual({ stopReason: "cancelled" });
  expect(await editor.prompt(id, "again")).toEqual({ stopReason: "end_turn" });
});

test("two sessions have prompts at once, and neither sees the other", async () => {
  const place = await createEditorProject();
  const { editor, id } = await startEditor(place);
  const other = await editor.agent.request(session.new, { cwd: place.project, mcpServers: [] });
  const both = await Promise.all([editor.prompt(id, "stream"), editor.prompt(other.sessionId, "again")]);
  expect(both).toEqual([{ stopReason: "end_turn" }, { stopReason: "end_turn" }]);
  expect([editor.textOf(id), editor.textOf(other.sessionId)]).toEqual(["One two three four five six.", "Still here."]);
});

test("a response that broke off is shown as such, and the answer follows", async () => {
  const place = await createEditorProject();
  const { editor, id } = await startEditor(place);
  expect(await editor.prompt(id, "retry")).toEqual({ stopReason: "end_turn" });
  expect(editor.textOf(id)).toMatch(/^It w.*broke off.*It works\.$/s);
});

test("a run that fails is an error with its reason, and the session stays usable", async () => {
  const place = await createEditorProject();
  const { editor, id } = await startEditor(place);
  await expect(editor.prompt(id, "refuse")).rejects.toMatchObject({ code: -32_603, data: { retryable: false } });
  expect(await editor.prompt(id, "again")).toEqual({ stopReason: "end_turn" });
});

test("the mode of a session decides about its next prompt", async () => {
  const place = await createEditorProject();
  const { editor, id } = await startEditor(place);
  await editor.agent.request(session.setMode, { sessionId: id, modeId: "read-only" });
  await editor.prompt(id, "erase");
  expect(editor.questions).toEqual([]);
  await editor.agent.request(session.setMode, { sessionId: id, modeId: "as-configured" });
  await editor.prompt(id, "erase");
  expect(editor.questions).toHaveLength(1);
  const unknown = editor.agent.request(session.setMode, { sessionId: id, modeId: "yolo" });
  await expect(unknown).rejects.toThrow("yolo");
});

test("the agent of a session is an option if the project has several", async () => {
  const place = await createEditorProject();
  await writeFile(join(place.project, "mail.yaml"), agentFile("mailer"));
  const { editor, created, id } = await startEditor(place, { words: ["agent.yaml", "mail.yaml"] });
  expect(created.configOptions).toMatchObject([
    { id: "agent", currentValue: "agent", options: [{}, { name: "mailer" }] },
  ]);
  const change = (value: string) =>
    editor.agent.request(session.setConfigOption, { sessionId: id, configId: "agent", value });
  expect(await change("mail")).toMatchObject({ configOptions: [{ currentValue: "mail" }] });
  await expect(change("mial")).rejects.toThrow('Did you mean "mail"?');
  await editor.prompt(id, "again");
  expect(await runInProject(place, "events", id, "--json")).toContain('"labels":{"agent":"mailer"');
});

test("a client that dies leaves no process, and its run and its question are on record", async () => {
  const place = await createEditorProject();
  const { editor, id } = await startEditor(place, { answer: () => new Promise(() => {}) });
  const prompted = editor.prompt(id, "erase").catch(() => "gone");
  while (editor.questions.length === 0) await pause();
  editor.child.stdin?.destroy();
  editor.child.stdout?.destroy();
  await prompted;
  await untilGone(place, 60_000);
  expect(await runInProject(place, "events", id, "--json")).toContain('"type":"run.finished"');
});
