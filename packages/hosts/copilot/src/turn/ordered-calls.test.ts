import { expect, test } from "vitest";
import { OrderedCalls } from "./ordered-calls.ts";

function startCalls() {
  const calls = new OrderedCalls();
  const made: string[] = [];
  const make = (id: string) =>
    calls.make(id, async () => {
      made.push(id);
      return id;
    });
  return { calls, made, make };
}

test("calls are made in the model's order, in whatever order the host asks for them", async () => {
  const { calls, made, make } = startCalls();
  const early = make("c");
  expect(made).toEqual([]);
  calls.begin(["a", "b", "c"]);
  const others = [make("b"), make("a")];
  expect(await Promise.all([early, ...others])).toEqual(["c", "b", "a"]);
  expect(made).toEqual(["a", "b", "c"]);
});

test("a call that the host refused holds up no later one, and those of the next response follow", async () => {
  const { calls, made, make } = startCalls();
  calls.begin(["a", "b"]);
  const second = make("b");
  calls.skip("a");
  expect(await second).toBe("b");
  calls.begin(["d"]);
  expect(await make("d")).toBe("d");
  expect(made).toEqual(["b", "d"]);
});
