import { testBackend } from "@bridle/conformance";
import { afterAll } from "vitest";
import { sentRequests } from "../../model-api/tests/sent-requests.ts";
import { SharedRuntime } from "../src/process/shared-runtime.ts";
import { startTestBackend, toScript } from "./support/test-backend.ts";

const noWindows = "its host does not report the windows of an account";
const noBuiltins = "its host's own tools stay off";
const schemaWords = "its host moves keywords that limit a value, such as minLength, into the descriptions of a schema";

/** One process serves the whole suite, as it serves all conversations of a backend. */
const runtime = new SharedRuntime(process.env);
afterAll(() => runtime.close());

testBackend("copilot", {
  skip: {
    "that fails with usage limit is a UsageLimitError": noWindows,
    "reports when a used-up window opens again": noWindows,
    "with a used-up window is waited for if the caller chose it, and then answers the same request": noWindows,
    "gets no request while a run waits, and stopping the run ends the wait": noWindows,
    "holds queued and new runs while one waits, and answers all of them afterwards": noWindows,
    "that is used up after a tool call repeats no effect": noWindows,
    "apply to the host's own tools as to any other": noBuiltins,
    "hide the host's own tools that they disable, and apply the mode to the others": noBuiltins,
    "reach the model with their names, descriptions and JSON Schemas, and no other tool does": schemaWords,
    "with an input schema from elsewhere reach the model with exactly that schema": schemaWords,
    "are requested again in the same step if their input does not fit, and then run":
      "its model gets the reason, and corrects the call in the next step",
    "count every request: also a response that broke off, with the tokens of its prompt":
      "its host reports the tokens of a response when it is complete, so the cost is marked as a part",
  },
  async start(model) {
    const { backend, rehearsal, close } = await startTestBackend(
      toScript(model),
      { contextWindow: 1_000_000 },
      runtime,
    );
    return { backend, model: "gpt-6-sol", sent: () => sentRequests(rehearsal.requests), close };
  },
});
