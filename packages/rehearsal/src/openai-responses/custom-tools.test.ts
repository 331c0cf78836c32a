import { expect, test } from "vitest";
import { createPlayer } from "../engine/play.ts";
import { defineScript } from "../script/define.ts";
import type { StepInput } from "../script/schema.ts";
import { toResponsesConversation } from "./conversation.ts";
import { responsesRequest } from "./request.ts";

const user = { role: "user", content: "go" };
const tool = { type: "custom", name: "patch", format: { type: "grammar", syntax: "lark", definition: "start: /.+/" } };

function callOf(step: StepInput, request: object) {
  const conversation = toResponsesConversation(responsesRequest.parse(request));
  const play = createPlayer(defineScript({ rehearsal: 1, turns: [{ steps: [step] }] }))(conversation);
  return play.kind === "step" ? play.answer?.calls[0] : undefined;
}

test.each<[string, StepInput]>([
  ["a text", { call: "patch", with_text: "*** Begin" }],
  ["a value that is a text", { call: "patch", with: "*** Begin" }],
  ["the first text of an object, as an event log has it", { call: "patch", with: { files: [], patch: "*** Begin" } }],
])("a tool that is offered as custom gets %s", (_, step) => {
  const call = { name: "patch", arguments: "*** Begin", isCustom: true };
  expect(callOf(step, { input: [user], tools: [tool] })).toMatchObject(call);
  const added = { type: "additional_tools", tools: [{ type: "namespace", name: "functions", tools: [tool] }] };
  expect(callOf(step, { input: [added, user] })).toMatchObject(call);
});

test("a tool that is not offered is called as custom only if the script says so", () => {
  const step = { call: "patch", with_text: "*** Begin" };
  expect(callOf(step, { input: [user] })).not.toHaveProperty("isCustom");
  expect(callOf({ ...step, custom: true }, { input: [user] })).toMatchObject({ isCustom: true });
});
