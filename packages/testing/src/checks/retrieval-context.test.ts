import { defineTool } from "@bridle/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Call } from "../result/call.ts";
import { retrievalContextOf, retrievingTools } from "./retrieval-context.ts";

const retrieving = new Map([
  ["handbook", "hits"],
  ["wiki", "text"],
] as const);

const call = (tool: string, output: string | null, structured?: unknown, state: Call["state"] = "succeeded"): Call => ({
  kind: "call",
  callId: "c",
  tool,
  input: {},
  state,
  output,
  structured,
  rule: null,
  step: 1,
  durationMs: 1,
});

test("hits of searches and texts of servers are in the order of their calls", () => {
  const calls = [
    call("wiki", "Shipping takes a week."),
    call("lookup_order", "shipped"),
    call("handbook", "[1] …", { hits: [{ text: "30 days" }, { text: "no fee" }] }),
  ];
  expect(retrievalContextOf(calls, retrieving)).toEqual(["Shipping takes a week.", "30 days", "no fee"]);
});

test("a search without hits retrieves nothing", () => {
  expect(retrievalContextOf([call("handbook", "Nothing was found.", { hits: [] })], retrieving)).toEqual([]);
  expect(retrievalContextOf([call("wiki", " "), call("wiki", null)], retrieving)).toEqual([]);
});

test("the text of a search without stored hits counts", () => {
  const calls = [call("handbook", "[1] handbook.md"), call("handbook", "[2]", { hits: [{ score: 1 }] })];
  expect(retrievalContextOf(calls, retrieving)).toEqual(["[1] handbook.md", "[2]"]);
});

test("a failed or denied call retrieves nothing", () => {
  const calls = [call("wiki", "timeout", undefined, "failed"), call("wiki", "no", undefined, "denied")];
  expect(retrievalContextOf(calls, retrieving)).toEqual([]);
});

test("retrieving tools are those whose kind declares it", () => {
  const tool = (name: string) => defineTool({ name, description: "", input: z.object({}), execute: async () => "" });
  const entries = [
    { retrieval: "text", tools: [tool("wiki.search"), tool("wiki_read")] },
    { tools: [tool("buy")] },
    { retrieval: "hits", tools: [tool("handbook")] },
  ] as const;
  expect([...retrievingTools({ entries })]).toEqual([
    ["wiki_search", "text"],
    ["wiki_read", "text"],
    ["handbook", "hits"],
  ]);
});
