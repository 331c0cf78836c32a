import { expect, test } from "vitest";
import { BlockIds } from "./block-ids.ts";

const delta = (text: string, block?: string) => ({ type: "text.delta" as const, text, block });
const completed = (text: string, block?: string) => ({ type: "text.completed" as const, text, block });

test("a host without ids has one block of each kind until it is complete", () => {
  const ids = new BlockIds(["blocks"]);
  const reasoning = { type: "reasoning.delta" as const, text: "a" };
  const events = [delta("a"), reasoning, delta("b"), completed("ab"), delta("c")];
  expect(events.map((event) => ids.ofText(event).block)).toEqual(["1", "2", "1", "1", "3"]);
});

test("interleaved blocks with ids of the host stay apart, and a repeated id in the next response is another block", () => {
  const ids = new BlockIds(["blocks"]);
  const blockOf = (id: string) => ids.ofText(delta("a", id)).block;
  expect(["0", "1", "0"].map(blockOf)).toEqual(["1", "2", "1"]);
  expect([ids.ofInput("call_1"), ids.ofCall({ callId: "call_1-2", streamId: "call_1", tool: "a", input: {} })]).toEqual(
    ["3", "3"],
  );
  ids.startResponse();
  expect(["0", "1"].map(blockOf)).toEqual(["4", "5"]);
  expect(ids.ofCall({ callId: "call_1", tool: "a", input: {} })).toBe("6");
});

test("without the detail, texts and calls have no block", () => {
  expect(new BlockIds().ofText(delta("a", "0"))).toEqual({ type: "text.delta", text: "a" });
  expect(new BlockIds(["host-messages"]).ofCall({ callId: "1", tool: "a", input: {} })).toBeUndefined();
});
