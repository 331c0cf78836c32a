import { expect, test } from "vitest";
import { modelForRole } from "./run-request.ts";

const models = { default: "sonnet", judge: "opus", fast: "haiku" };

test("a role with a model uses it, and another one uses the default", () => {
  expect(modelForRole(models, "judge")).toBe("opus");
  expect(modelForRole(models, "translate")).toBe("sonnet");
  expect(modelForRole(models)).toBe("sonnet");
  expect(modelForRole(models, "last")).toBe("sonnet"); // short names are near each other by chance
});

test.each(["jugde", "judges", "Judge"])(
  "the role %s is refused with the nearest one, instead of using the default",
  (role) => {
    expect(() => modelForRole(models, role)).toThrow(
      `No model is set for the role "${role}". Did you mean "judge"? Correct the role, or set llm.models.${role}.`,
    );
  },
);
