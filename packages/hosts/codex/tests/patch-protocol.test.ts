/** Compares the messages that Bridle reads and sends, if `apply_patch` is open, with the protocol that the installed Codex prints. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bareConversation } from "@bridle/host-shared";
import { expect, onTestFinished, test, vi } from "vitest";
import { patchSandbox } from "../src/boundary/opened-tools.ts";
import { threadDifferences } from "../src/boundary/thread-options.ts";
import { patchItem } from "../src/messages/messages.ts";
import { JsonRpc } from "../src/process/json-rpc.ts";
import { CodexCalls } from "../src/turn/calls.ts";
import { Patches } from "../src/turn/patches.ts";
import { CodexTurn } from "../src/turn/turn.ts";
import { filesIn, makeProject, patchCall, runPatches } from "./support/patches.ts";
import { definition, formOf, methodsOf, misfits, unreadable, valuesOf } from "./support/protocol-schema.ts";

/** Returns the messages that are sent to Codex in a run that changes files in every way, including in its last step. */
async function sentWithPatches() {
  const requests = vi.spyOn(JsonRpc.prototype, "request");
  const answers = vi.spyOn(CodexTurn.prototype, "answer");
  const { project, remove } = await makeProject();
  onTestFinished(async () => {
    requests.mockRestore();
    answers.mockRestore();
    await remove();
  });
  for (const name of ["update", "delete", "move"]) await writeFile(join(project, `${name}.txt`), "old\n");
  const first = [
    "*** Add File: add.txt\n+new\n*** Delete File: delete.txt\n*** Update File: update.txt\n@@\n-old\n+new",
    "*** Update File: move.txt\n*** Move to: moved.txt\n@@\n-old\n+new",
  ].join("\n");
  const { result } = await runPatches(project, [first, "*** Delete File: add.txt"].map(patchCall), { stepBudget: 2 });
  expect.soft(result).toMatchObject({ stopReason: "budget", toolCalls: 2, toolFailures: 0 });
  expect.soft(await filesIn(project)).toEqual({ "moved.txt": "new\n", "update.txt": "new\n" });
  const given: unknown[] = await Promise.all(answers.mock.results.map(({ value }) => value));
  return { requests: requests.mock.calls, answers: given.filter((answer) => answer !== undefined) };
}

test("every request and answer of a run with patches exists at the pin, with each parameter, its type and its value", async () => {
  const methods = methodsOf("ClientRequest");
  const { requests, answers } = await sentWithPatches();
  const sent = new Map(requests);
  expect(sent.get("thread/start")).toMatchObject({ approvalPolicy: "untrusted", sandbox: "workspace-write" });
  expect([...sent.keys()]).toEqual(expect.arrayContaining(["command/exec", "command/exec/write"]));
  const described = requests.filter(([method]) => method !== "getAuthStatus");
  expect(described.flatMap(([method, params]) => misfits(params, methods.get(method) ?? false, method))).toEqual([]);
  expect(answers).toEqual([{ decision: "accept" }]);
  const all = [...answers, await answerToSecondQuestion()];
  expect(all).toHaveLength(2);
  const response = definition("FileChangeRequestApprovalResponse");
  expect(all.flatMap((answer) => misfits(answer, response, "answer"))).toEqual([]);
});

/** Returns the answer to Codex's second question, about a patch that has failed in the sandbox. */
async function answerToSecondQuestion(): Promise<unknown> {
  const patches = emptyPatches();
  const calls = new CodexCalls({
    patches,
    tools: [],
    context: { callTool: vi.fn(), reportRefused: vi.fn() },
    silence: { hold: vi.fn(), release: vi.fn() },
    leaveThread: vi.fn(),
    continueElsewhere: vi.fn(),
    onBudget: vi.fn(),
  });
  const request = { callId: "1", tool: "apply_patch", input: undefined };
  patches.accept(request.callId);
  return calls.reply({ method: "item/fileChange/requestApproval", ...request });
}

function emptyPatches(): Patches {
  const context = { authorizeHostTool: vi.fn(), completeHostTool: vi.fn(), reportRefused: vi.fn() };
  return new Patches({ folder: "/", context, apply: vi.fn(), observeInput: vi.fn() });
}

test("every form of a patch at the pin can be read, and one of tomorrow counts as a change without a question", () => {
  expect(unreadable(patchItem, formOf("ThreadItem", "fileChange"), "fileChange")).toEqual([]);
  const read = (type: string, status: string) =>
    emptyPatches().update({ type: "fileChange", id: "1", status, changes: [{ path: "/a", kind: { type } }] });
  expect(valuesOf("PatchChangeKind").filter((type) => !read(type, "inProgress"))).toEqual([]);
  expect(read("of_tomorrow", "inProgress")).toBe(false);
  expect(valuesOf("PatchApplyStatus")).toEqual(["completed", "declined", "failed", "inProgress"]);
  expect(valuesOf("PatchApplyStatus").filter((status) => !read("add", status))).toEqual(["completed"]);
});

test("of the sandboxes and approval policies at the pin, a thread with patches may have one, in exactly its form", () => {
  const expected = patchSandbox("/project");
  expect(misfits(expected, definition("SandboxPolicy"), "sandbox")).toEqual([]);
  const differences = (change: object) => {
    const thread = { id: "1", ephemeral: true };
    const asked = { thread, model: "m", modelProvider: "bridle", cwd: "/", instructionSources: [] };
    const answer = { ...asked, approvalPolicy: "untrusted", sandbox: expected, ...change };
    return threadDifferences(answer, bareConversation("m"), { provider: "bridle", patchFolder: "/project" });
  };
  expect(differences({})).toEqual([]);
  const fields = Object.entries(expected).filter(([name]) => name !== "type");
  const others = fields.map(([name, value]) => ({ ...expected, [name]: Array.isArray(value) ? ["/"] : !value }));
  for (const sandbox of others) expect(differences({ sandbox })).toHaveLength(1);
  const isAllowed = (change: object) => differences(change).length === 0;
  expect(valuesOf("SandboxPolicy").filter((type) => isAllowed({ sandbox: { ...expected, type } }))).toEqual([
    "workspaceWrite",
  ]);
  expect(valuesOf("AskForApproval").filter((approvalPolicy) => isAllowed({ approvalPolicy }))).toEqual(["untrusted"]);
});
