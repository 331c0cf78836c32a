import { expect, test } from "vitest";
import { countPromises } from "./count-promises.ts";

const tool = (readOnly: boolean, destructive: boolean) => ({
  name: "t",
  kind: "function",
  source: "tools.ts",
  field: "tools[0]",
  description: "",
  annotations: { readOnly, destructive, idempotent: false, openWorld: false },
});

test("tools are counted by what they promise", () => {
  expect(countPromises([])).toBe("no tools");
  expect(countPromises([tool(true, true)])).toBe("1 tool: 1 that only reads");
  expect(countPromises([tool(true, false), tool(false, false), tool(false, true), tool(false, true)])).toBe(
    "4 tools: 1 that only reads, 1 that changes data, 2 that may destroy data",
  );
});
