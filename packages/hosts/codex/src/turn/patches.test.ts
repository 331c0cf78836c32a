import { expect, test } from "vitest";
import { Patches } from "./patches.ts";

function begin() {
  return new Patches({
    folder: "/project",
    context: {
      authorizeHostTool: async () => ({ allow: true }),
      completeHostTool: () => {},
      reportRefused: () => {},
    },
    apply: async () => ({ ok: true, output: "" }),
    observeInput: () => {},
  });
}

const item = (status: string) => ({
  type: "fileChange",
  id: "1",
  status,
  changes: [{ path: "/project/a.txt", kind: { type: "add" }, diff: "a\n" }],
});

test("a patch that was applied without a permission is noticed", () => {
  const patches = begin();
  expect(patches.update(item("inProgress"))).toBe(true);
  expect(patches.update(item("completed"))).toBe(false);
});

test("a patch that was permitted is applied only when the host says so", () => {
  const patches = begin();
  expect(patches.accept("1")).toEqual({ decision: "accept" });
  expect(patches.update(item("failed"))).toBe(true);
  expect(patches.isApplied("1")).toBe(false);
  expect(patches.update(item("completed"))).toBe(true);
  expect(patches.isApplied("1")).toBe(true);
});

test("a patch whose files the host does not name is refused", async () => {
  const reply = await begin().refusal({ callId: "1", tool: "apply_patch", input: { patch: "x" }, kind: "patch" });
  expect(reply?.output).toBe("apply_patch names no file. Nothing was changed.");
});

test.each(["inProgress", "completed"])(
  "a change of files whose form is not known (%s) counts as one without a permission",
  (status) => {
    const patches = begin();
    patches.accept("1");
    expect(patches.update({ type: "fileChange", id: "1", status, changes: [{ file: "/project/a.txt" }] })).toBe(false);
  },
);
