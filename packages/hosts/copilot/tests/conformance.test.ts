import { testBackend } from "@bridle/conformance";
import { afterAll } from "vitest";
import { sentRequests } from "../../model-api/tests/sent-requests.ts";
import { toScript } from "../../shared/tests/to-script.ts";
import { SharedRuntime } from "../src/process/shared-runtime.ts";
import { copilotSkips } from "./support/skips.ts";
import { copilotRefusals, startTestBackend } from "./support/test-backend.ts";

const noWindows = "a key has no usage windows (a GitHub login has)";

/** The process that serves the whole suite, as it would serve all conversations of a backend. */
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
    ...copilotSkips,
  },
  async start(model) {
    const { backend, rehearsal, close } = await startTestBackend(
      toScript(model, copilotRefusals),
      { contextWindow: 1_000_000 },
      runtime,
    );
    return { backend, model: "gpt-6-sol", sent: () => sentRequests(rehearsal.requests), close };
  },
});
