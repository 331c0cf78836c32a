import { expect, test } from "vitest";
import { override } from "./override.ts";

class Counter {
  #count = 0;
  label = "counter";
  get count() {
    return this.#count;
  }
  add(step: number) {
    this.#count += step;
    return this.#count;
  }
  close() {
    return "closed";
  }
}

test("members that are not replaced run on the wrapped instance, private fields and getters included", () => {
  const counter = new Counter();
  const wrapped = override(counter, { close: () => "replaced" });
  const { add } = wrapped;
  expect(add(2)).toBe(2);
  expect([wrapped.count, counter.count, wrapped.label, wrapped.close()]).toEqual([2, 2, "counter", "replaced"]);
});

test("a frozen object can be wrapped, and a wrapped one can be wrapped again and spread", () => {
  const base = Object.freeze({ a: 1 as number, b: (): string => "b" });
  const once = override(base, { a: 2 });
  const twice = override(once, { b: () => "replaced" });
  expect({ ...twice, c: 3 }).toMatchObject({ a: 2, c: 3 });
  expect(["a" in twice, "d" in twice, twice.b()]).toEqual([true, false, "replaced"]);
});
