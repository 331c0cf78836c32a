import { expect, test } from "vitest";
import { describeEffect } from "./describe-effect.ts";

test.each([
  [{}, "may destroy data, outside of this machine too"],
  [{ openWorld: false }, "may destroy data"],
  [{ readOnly: true }, "only reads"],
  [{ readOnly: true, openWorld: true }, "only reads, outside of this machine too"],
  [{ destructive: true, openWorld: false }, "may destroy data"],
  [{ destructive: false, openWorld: false }, "changes data"],
])("a tool with the annotations %j is described as %j", (annotations, effect) => {
  expect(describeEffect(annotations)).toBe(effect);
});
