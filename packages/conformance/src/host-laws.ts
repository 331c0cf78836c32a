import * as errors from "@bridle/protocol";
import { expect } from "vitest";
import type { Behaviour } from "./harness.ts";
import type { ScriptedFailure } from "./scripted-model.ts";

type ErrorClass = new (...parts: never[]) => errors.BridleError;

const classes: Readonly<Record<ScriptedFailure, ErrorClass>> = {
  authentication: errors.AuthenticationError,
  billing: errors.BillingError,
  "usage-limit": errors.UsageLimitError,
  "rate-limit": errors.RateLimitError,
  overloaded: errors.OverloadedError,
  "model-not-found": errors.ModelNotFoundError,
  "context-overflow": errors.ContextOverflowError,
  "invalid-request": errors.InvalidRequestError,
  "connection-lost": errors.NetworkError,
};

export function hostLaws(behaviour: Behaviour): void {
  for (const [kind, type] of Object.entries(classes)) {
    behaviour(`that fails with ${kind.replace("-", " ")} is ${article(type.name)}`, async (start) => {
      const { runtime } = await start([{ steps: [{ fail: kind as ScriptedFailure, forever: true }] }]);
      const failing = runtime.generateText({ prompt: "go" });
      await expect(failing).rejects.toBeInstanceOf(type);
      const error = await failing.catch((thrown: errors.BridleError) => thrown as errors.BridleError);
      expect(errors.isBridleError(error)).toBe(true);
      expect(error).toMatchObject({ runId: expect.stringMatching(/^run_/), message: expect.stringMatching(/\w{3}/) });
    });
  }

  behaviour("reports when a used-up window opens again", async (start) => {
    const { runtime } = await start([{ steps: [{ fail: "usage-limit", forever: true }] }]);
    const error = await runtime.generateText({ prompt: "go" }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ resetsAt: expect.any(Date), window: expect.any(String), retryable: true });
  });

  behaviour("reports that it accepts its credentials", async (start) => {
    const { runtime } = await start([{ steps: [{ say: "ok" }] }]);
    expect(await runtime.checkAuth()).toMatchObject({ ok: true });
  });

  behaviour("reports that it refuses its credentials", async (start) => {
    const { runtime } = await start([{ steps: [{ fail: "authentication", forever: true }] }]);
    expect(await runtime.checkAuth()).toMatchObject({ ok: false, detail: expect.stringMatching(/\w{3}/) });
  });

  behaviour("counts the usage of each run separately", async (start) => {
    const { runtime } = await start([{ steps: [{ say: "one" }] }]);
    const first = await runtime.generateText({ prompt: "a" });
    const second = await runtime.generateText({ prompt: "b" });
    expect(second.usage.outputTokens).toBe(first.usage.outputTokens);
  });
}

function article(name: string): string {
  return `${/^[AEIO]/.test(name) ? "an" : "a"} ${name}`;
}
