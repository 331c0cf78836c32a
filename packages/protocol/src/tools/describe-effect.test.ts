import { expect, test } from "vitest";
import { describeEffect } from "./describe-effect.ts";

test.each([
  [{}, "declares no effect: may do anything"],
  [{ openWorld: true }, "declares no effect: may do anything"],
  [{ readOnly: true }, "only reads"],
  [{ readOnly: true, openWorld: true }, "only reads, outside of this machine"],
  [{ destructive: true }, "may destroy data"],
  [{ destructive: false, openWorld: true }, "changes data, outside of this machine"],
])("a tool with the annotations %j is described as %j", (annotations, effect) => {
  expect(describeEffect(annotations)).toBe(effect);
});
