import { tmpdir } from "node:os";
import { join } from "node:path";
import { methods } from "@agentclientprotocol/sdk";
import { expect, test } from "vitest";
import { untilGone } from "../support/command.ts";
import { choose, createEditorProject, pause, runInProject, startEditor } from "./acp-fixture.ts";

const { session } = methods.agent;
const server = { type: "http" as const, name: "docs", url: "https://example.com/mcp", headers: [] };

test("sessions of other processes are listed, loaded as they were, resumed, continued and removed", async () => {
  const place = await createEditorProject();
  await runInProject(
    place,
    "run",
    "--agent",
    "agent.yaml",
    "--rehearse",
    "script.yaml",
    "--session",
    "first",
    "stream",
  );
  const { editor } = await startEditor(place, { answer: choose("allow") });
  const opened = { sessionId: "first", cwd: place.project, mcpServers: [] };
  const list = await editor.agent.request(session.list, {});
  expect(list.sessions).toMatchObject([{ sessionId: "first", cwd: place.project, title: "stream" }]);
  expect(await editor.agent.request(session.load, opened)).toMatchObject({ modes: { currentModeId: "as-configured" } });
  expect(editor.textOf("first", "user_message_chunk")).toBe("stream");
  expect(editor.textOf("first")).toBe("One two three four five six.");
  expect(await editor.prompt("first", "erase")).toEqual({ stopReason: "end_turn" });
  expect(editor.textOf("first")).toBe("One two three four five six.All done.");
  await editor.agent.request(session.close, { sessionId: "first" });
  await expect(editor.prompt("first", "again")).rejects.toMatchObject({ code: -32_002 });
  const before = editor.updates.length;
  await editor.agent.request(session.resume, opened);
  expect(editor.updates).toHaveLength(before);
  expect(await editor.prompt("first", "again")).toEqual({ stopReason: "end_turn" });
  await editor.agent.request(session.delete, { sessionId: "first" });
  await expect(editor.agent.request(session.load, opened)).rejects.toMatchObject({ code: -32_002 });
});

test("a question that a killed process left is asked with the next prompt, and its answer counts", async () => {
  const place = await createEditorProject();
  const first = await startEditor(place, { answer: () => new Promise(() => {}) });
  void first.editor.prompt(first.id, "erase").catch(() => "gone");
  while (first.editor.questions.length === 0) await pause();
  first.editor.child.kill("SIGKILL");
  await untilGone(place, 60_000);
  const { editor } = await startEditor(place);
  await editor.agent.request(session.load, { sessionId: first.id, cwd: place.project, mcpServers: [] });
  expect(editor.questions).toEqual([]);
  await editor.prompt(first.id, "again");
  expect(editor.questions).toMatchObject([{ toolCall: { title: "erase: the draft" } }]);
  const events = await runInProject(place, "events", first.id, "--json");
  expect(events).toMatch(/"type":"approval.decided".*"decision":"allow","source":"answer"/);
});

test("a folder of another project, an unknown session and a prompt without text are refused with the reason", async () => {
  const place = await createEditorProject();
  const { editor, id } = await startEditor(place);
  const create = (cwd: string) => editor.agent.request(session.new, { cwd, mcpServers: [server] });
  await expect(create(tmpdir())).rejects.toThrow("--project-dir");
  await expect(create("src")).rejects.toThrow("not an absolute path");
  await expect(editor.prompt("unknown", "again")).rejects.toMatchObject({ code: -32_002 });
  await expect(editor.prompt(id, " ")).rejects.toThrow("The prompt is empty");
  await create(join(place.project, "src"));
  expect(editor.stderr).toContain("MCP servers of the editor are not used: docs.");
});
