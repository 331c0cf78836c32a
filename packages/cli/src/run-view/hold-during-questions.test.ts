import type { RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { holdDuringQuestions } from "./hold-during-questions.ts";

test("events during a question are shown after its answer, in order", () => {
  const shown: string[] = [];
  const show = holdDuringQuestions((event) => shown.push(event.type));
  const tell = (type: string, approvalId?: string) => show({ type, approvalId } as unknown as RunEvent);
  tell("tool.requested");
  tell("approval.requested", "1");
  tell("approval.requested", "2");
  tell("tool.progress");
  tell("approval.decided", "1");
  expect(shown).toEqual(["tool.requested", "approval.requested"]);
  tell("approval.decided", "2");
  tell("tool.started");
  expect(shown).toEqual([
    "tool.requested",
    "approval.requested",
    "approval.requested",
    "tool.progress",
    "approval.decided",
    "approval.decided",
    "tool.started",
  ]);
});
