import { expect, test } from "vitest";
import { OrderedReplies } from "./ordered-replies.ts";

/** Waits until all promises that can settle have settled. */
async function settled() {
  await new Promise((resolve) => setImmediate(resolve));
}

function begin() {
  const replies = new OrderedReplies();
  const passed: string[] = [];
  const pass = (id: string, reply: Promise<string>) =>
    replies.pass(id, reply).then(
      () => void passed.push(id),
      () => void passed.push(`${id} failed`),
    );
  return { replies, passed, pass };
}

test("a reply is held until the host has taken those of all earlier calls", async () => {
  const { replies, passed, pass } = begin();
  const first = Promise.withResolvers<string>();
  void pass("a", first.promise);
  void pass("b", Promise.resolve("B"));
  await settled();
  expect(passed).toEqual([]);
  first.resolve("A");
  await settled();
  expect(passed).toEqual(["a"]);
  replies.confirm("a");
  await settled();
  expect(passed).toEqual(["a", "b"]);
});

test("a call that failed holds no later reply, and no reply is held after the end", async () => {
  const { replies, passed, pass } = begin();
  void pass("a", Promise.reject(new Error("broken")));
  void pass("b", Promise.resolve("B"));
  void pass("c", Promise.resolve("C"));
  await settled();
  expect(passed).toEqual(["a failed", "b"]);
  replies.stop();
  await settled();
  expect(passed).toEqual(["a failed", "b", "c"]);
});
