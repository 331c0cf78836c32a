import { defaultPromptCaching } from "@bridle/protocol";
import { expect, test } from "vitest";
import { cacheMarks, commonTtl } from "./cache-marks.ts";

const marks = (fields: object) => cacheMarks({ ...defaultPromptCaching, ...fields });

test.each([
  [{}, { tools: "5m", system: "5m", history: "5m" }],
  [{ historyTtl: "1h" }, { tools: "1h", system: "1h", history: "1h" }],
  [{ systemTtl: "1h" }, { tools: "1h", system: "1h", history: "5m" }],
  [{ toolsTtl: "1h" }, { tools: "1h", system: "5m", history: "5m" }],
  [
    { historyTtl: "1h", cacheHistory: false },
    { tools: "5m", system: "5m" },
  ],
  [
    { historyTtl: "1h", cacheSystem: false },
    { tools: "1h", history: "1h" },
  ],
  [{ enabled: false }, {}],
])("prompt caching %j sets the marks %j", (fields, expected) => {
  expect(marks(fields)).toEqual(expected);
});

test("a lifetime is common if all marks have it", () => {
  expect(commonTtl(marks({}))).toBe("5m");
  expect(commonTtl(marks({ systemTtl: "1h" }))).toBeUndefined();
  expect(commonTtl({})).toBeUndefined();
});
