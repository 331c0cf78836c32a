import { RateLimitError, UsageLimitError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { asSentence, billingError, limitError } from "./failure-errors.ts";

test("a billing error says where to choose another account", () => {
  expect(billingError("No credit left", "llm.provider").message).toBe(
    "The account cannot pay for this request: No credit left. Add credit to it, or choose another account or backend in llm.provider.",
  );
});

test("a limit is a UsageLimitError only if a window is used up", () => {
  expect(limitError("Slow down")).toBeInstanceOf(RateLimitError);
  expect(limitError("Slow down", { window: "seven_day" })).toBeInstanceOf(UsageLimitError);
});

test("a text becomes one sentence", () => {
  expect(["No", "No.", "Why?"].map(asSentence)).toEqual(["No.", "No.", "Why?"]);
});
