import { expect, test } from "vitest";
import type { ThreadRequest } from "../process/app-server.ts";
import { CodexCalls } from "./calls.ts";
import { Patches } from "./patches.ts";
import type { StepCall } from "./step.ts";

const patch = (text: string): StepCall => ({
  callId: "1",
  tool: "apply_patch",
  kind: "patch",
  input: { patch: text },
});
const question: ThreadRequest = {
  method: "item/fileChange/requestApproval",
  callId: "1",
  tool: "apply_patch",
  input: undefined,
};

function begin() {
  const seen: unknown[] = [];
  const patches = new Patches({
    folder: "/project",
    context: {
      authorizeHostTool: async ({ input }) => {
        seen.push(input);
        return { allow: true };
      },
      completeHostTool: () => {},
      reportRefused: () => {},
    },
    apply: async (text) => {
      seen.push(text);
      return { ok: true, output: "" };
    },
    observeInput: () => {},
  });
  const changes = [{ path: "/project/a.txt", kind: { type: "add" } }];
  patches.update({ type: "fileChange", id: "1", status: "inProgress", changes });
  const calls = new CodexCalls({
    context: { callTool: async () => ({ output: "", isError: false }), reportRefused: () => {} },
    silence: { hold: () => {}, release: () => {} },
    tools: [],
    patches,
    leaveThread: () => {},
    continueElsewhere: () => {},
    onBudget: () => {},
  });
  return { calls, seen };
}

test("a patch whose id another call of the response has is declined: nobody sees the text of one and the files of the other", async () => {
  const { calls, seen } = begin();
  calls.complete([patch("one"), patch("other")], false);
  expect(await calls.reply(question)).toEqual({ decision: "decline" });
  expect(seen).toEqual([]);
});

test("in the last step of the budget, such a patch is not applied", async () => {
  const { calls, seen } = begin();
  calls.complete([patch("one"), patch("other")], true);
  expect(await calls.reply(question)).toBeUndefined();
  expect(seen).toEqual([]);
});
