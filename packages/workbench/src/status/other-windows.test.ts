import { expect, test } from "vitest";
import { otherWindows } from "./other-windows.ts";

test("a window of the same name of another backend is shown beside the one that is used up", () => {
  const at = "2026-03-01T10:00:00Z";
  const facts = { window: "five_hour", resetsAt: at, utilization: null, isUsedUp: false, at };
  const windows = [
    { ...facts, backend: "claude-code" },
    { ...facts, backend: "openai" },
  ];
  const usedUp = { backend: "claude-code", window: "five_hour", resetsAt: at };
  expect(otherWindows(windows, usedUp)).toEqual([windows[1]]);
  expect(otherWindows(windows, null)).toEqual(windows);
});
