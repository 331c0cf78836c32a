import { expect, test } from "vitest";
import type { HostMessage } from "../messages/messages.ts";
import { LimitMemory } from "./limit-memory.ts";

const warning: HostMessage = {
  type: "rate_limit_event",
  rate_limit_info: { status: "allowed_warning", resetsAt: 100 },
};
const result: HostMessage = {
  type: "result",
  subtype: "success",
  is_error: false,
  total_cost_usd: 0,
  modelUsage: {},
};

test("limits that the host reported in one conversation come before the result of the next", () => {
  const memory = new LimitMemory(() => 0);
  expect(memory.complete(warning)).toEqual([warning]);
  expect(memory.complete(result)).toEqual([result]);
  expect(memory.complete(result)).toEqual([result]);
  memory.startConversation();
  expect(memory.complete(result)).toEqual([warning, result]);
  expect(memory.complete(result)).toEqual([result]);
});

test("limits that the host reports in a conversation are not repeated, and replace earlier ones", () => {
  const memory = new LimitMemory(() => 0);
  memory.complete(warning);
  memory.startConversation();
  const allowed: HostMessage = { type: "rate_limit_event", rate_limit_info: { status: "allowed" } };
  expect(memory.complete(allowed)).toEqual([allowed]);
  expect(memory.complete(result)).toEqual([result]);
  memory.startConversation();
  expect(memory.complete(result)).toEqual([allowed, result]);
});

test("a limit that has been reset is forgotten", () => {
  const memory = new LimitMemory(() => 100_000);
  memory.complete(warning);
  memory.startConversation();
  expect(memory.complete(result)).toEqual([result]);
});
