import { ModelNotFoundError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { refusedModelError, requireModelName } from "./model-names.ts";

test.each(["opus", "sonnet", "haiku", "claude-sonnet-5-5", "claude-opus-4-5-20251101", "claude-a-model-of-next-year"])(
  "%s is accepted",
  (model) => {
    requireModelName(model, { auth: "session" });
    requireModelName(model, { auth: "api_key" });
  },
);

test.each(["gpt-5", "sonet", "Sonnet", "", "claude"])("%s is a ModelNotFoundError that holds the name", (model) => {
  expect(() => requireModelName(model, { auth: "session" })).toThrow(ModelNotFoundError);
  expect(() => requireModelName(model, { auth: "session" })).toThrow(`The model "${model}" cannot be used`);
});

test("a cloud's own deployment names are accepted", () => {
  for (const auth of ["bedrock", "vertex", "foundry"] as const) {
    requireModelName("eu.anthropic.claude-sonnet-4-5-20250929-v1:0", { auth });
    requireModelName("our-deployment", { auth });
  }
});

test("a server at an own address has models of any name", () => {
  requireModelName("qwen3.5:35b", { auth: "api_key", baseUrl: "http://localhost:11434" });
});

test("the error suggests the nearest names, best first, and never the refused one", () => {
  expect(refusedModelError("sonet").nearest[0]).toBe("sonnet");
  expect(refusedModelError("claude-sonnet-5-6").nearest).toContain("claude-sonnet-5-5");
  expect(refusedModelError("claude-sonnet-5-5", "404").nearest).not.toContain("claude-sonnet-5-5");
});

test("if no name is near, the error lists the aliases", () => {
  expect(refusedModelError("a-completely-different-thing").message).toContain("Known: opus, sonnet, haiku");
});

test("the error contains the host's reason", () => {
  expect(refusedModelError("claude-sonnet-9", "It is not enabled for you.").message).toContain(
    "It is not enabled for you.",
  );
});
