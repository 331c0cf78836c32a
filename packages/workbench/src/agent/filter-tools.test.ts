import { expect, test } from "vitest";
import { filterTools } from "./filter-tools.ts";

function tool(name: string, readOnly: boolean) {
  return {
    name,
    kind: "function",
    source: "tools.ts",
    field: "tools.0",
    description: `Does ${name}.`,
    annotations: { readOnly, destructive: !readOnly, idempotent: false, openWorld: false },
    inputSchema: null,
  };
}

test("tools are found by words of their name, source and promises, in any order", () => {
  const tools = [tool("find_order", true), tool("cancel_order", false)];
  expect(filterTools(tools, "order").map(({ name }) => name)).toEqual(["find_order", "cancel_order"]);
  expect(filterTools(tools, " destroy  ORDER ").map(({ name }) => name)).toEqual(["cancel_order"]);
  expect(filterTools(tools, "tools.ts refund")).toEqual([]);
});
