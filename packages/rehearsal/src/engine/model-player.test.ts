import { correctionStart } from "@bridle/protocol";
import { expect, test } from "vitest";
import type { RehearsedConversation } from "./conversation.ts";
import { createModelPlayer, type RehearsedModel, type RehearsedRequest } from "./model-player.ts";
import type { Play } from "./play.ts";

const conversation: RehearsedConversation = {
  id: "c",
  system: "You look.",
  user: "Go",
  turn: 2,
  offered: ["mcp__bridle__look", "Bash"],
  answers: [{ results: [] }, { results: [{ tool: "mcp__bridle__look", text: "seen" }] }],
  results: [
    { tool: "mcp__bridle__look", text: "earlier" },
    { tool: "mcp__bridle__look", text: "seen" },
  ],
};

function ask(model: RehearsedModel, at: RehearsedConversation = conversation): Play | Promise<Play> {
  return createModelPlayer(model)(at);
}

test("a model in code sees the conversation with the tools' own names", async () => {
  const requests: RehearsedRequest[] = [];
  await ask((request) => {
    requests.push(request);
    return { say: "Done" };
  });
  expect(requests).toEqual([
    {
      system: "You look.",
      user: "Go",
      message: 2,
      step: 3,
      tools: ["look", "Bash"],
      results: [{ tool: "look", text: "seen" }],
      allResults: [
        { tool: "look", text: "earlier" },
        { tool: "look", text: "seen" },
      ],
    },
  ]);
});

test("its step is an answer, a call by the exposed name, or a fault, also if it comes later", async () => {
  expect(await ask(async () => ({ say: "Done" }))).toMatchObject({
    kind: "step",
    turn: 2,
    answer: { texts: ["Done"] },
  });
  expect(await ask(() => ({ call: "look", with: { at: "{{ look.result }}" } }))).toMatchObject({
    answer: { calls: [{ name: "mcp__bridle__look", arguments: '{"at":"{{ look.result }}"}' }] },
  });
  expect(await ask(() => ({ status: 529 }))).toMatchObject({
    step: { number: 3, act: { kind: "refuse", status: 529 } },
  });
});

test("a request for the correction of a call does not reach it, and leaves the call as it is", async () => {
  const model = () => ({ say: "asked" });
  const correction = { ...conversation, user: `${correctionStart} look has a wrong input.` };
  expect(await ask(model, correction)).toMatchObject({ answer: { texts: ["I cannot correct it."] } });
});

test.each<[string, RehearsedModel, string]>([
  ["returns nothing", () => undefined, 'it returned no step. Return one, such as { say: "Hello" }.'],
  [
    "returns a step that does nothing",
    () => ({}),
    "its step is wrong. step.turns.0.steps.0: the step does nothing. Add an answer (say, call, object, …) or a fault (status, reset, …).",
  ],
  [
    "throws",
    () => {
      throw new Error("No page is left.");
    },
    "it threw. No page is left.",
  ],
])("a model that %s is a failure with the position", async (_, model, reason) => {
  expect(await ask(model)).toEqual({
    kind: "mismatch",
    turn: 2,
    step: 3,
    reason: `The model in code, message 2, step 3: ${reason}`,
  });
});
