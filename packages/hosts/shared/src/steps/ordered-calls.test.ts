import { expect, test } from "vitest";
import { OrderedCalls } from "./ordered-calls.ts";

function begin() {
  const made: string[] = [];
  const calls = new OrderedCalls(async ({ callId }: { callId: string }) => {
    made.push(callId);
    return `reply to ${callId}`;
  });
  return { calls, made };
}

test("no call is made before its response is complete", async () => {
  const { calls, made } = begin();
  const reply = calls.request({ callId: "a" });
  expect(made).toEqual([]);
  calls.complete(["a"]);
  expect(await reply).toBe("reply to a");
});

test("calls that are asked for out of order are made in the model's order, each without the reply of the one before", () => {
  const { calls, made } = begin();
  for (const callId of ["c", "a", "b"]) void calls.request({ callId });
  calls.complete(["a", "b", "c"]);
  expect(made).toEqual(["a", "b", "c"]);
});

test("a call that is asked for late holds only the calls after it", () => {
  const { calls, made } = begin();
  calls.complete(["a", "b", "c"]);
  void calls.request({ callId: "c" });
  void calls.request({ callId: "a" });
  expect(made).toEqual(["a"]);
  void calls.request({ callId: "b" });
  expect(made).toEqual(["a", "b", "c"]);
});

test("a call that the host refuses after all holds no other call", () => {
  const { calls, made } = begin();
  calls.complete(["a", "b"]);
  void calls.request({ callId: "b" });
  calls.skip("a");
  expect(made).toEqual(["b"]);
});

test("a failed call rejects the host's request, and the next call is made", async () => {
  const calls = new OrderedCalls(async ({ callId }: { callId: string }) => {
    if (callId === "a") throw new Error("broken");
    return callId;
  });
  const replies = [calls.request({ callId: "a" }), calls.request({ callId: "b" })];
  calls.complete(["a", "b"]);
  await expect(replies[0]).rejects.toThrow("broken");
  expect(await replies[1]).toBe("b");
});

test("a call that the host makes alone, asked for before an earlier one, is made at once, and the earlier one when it is asked for", () => {
  const made: string[] = [];
  const calls = new OrderedCalls(
    async ({ callId }: { callId: string }) => void made.push(callId),
    (request, callId) => request.callId === "alone" || callId === "alone",
  );
  calls.complete(["a", "alone", "b"]);
  void calls.request({ callId: "alone" });
  expect(made).toEqual(["alone"]);
  void calls.request({ callId: "b" });
  expect(made).toEqual(["alone", "b"]);
  void calls.request({ callId: "a" });
  expect(made).toEqual(["alone", "b", "a"]);
});

test("a call that is asked for before one that the host makes alone is made at once", () => {
  const made: string[] = [];
  const calls = new OrderedCalls(
    async ({ callId }: { callId: string }) => void made.push(callId),
    (_, callId) => callId === "alone",
  );
  void calls.request({ callId: "b" });
  calls.complete(["alone", "a", "b"]);
  expect(made).toEqual([]);
  void calls.request({ callId: "a" });
  expect(made).toEqual(["a", "b"]);
  calls.skip("alone");
});
