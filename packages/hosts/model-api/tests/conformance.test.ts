import { testBackend } from "@bridle/conformance";
import { modelApiIds } from "../src/settings/options.ts";
import { sentRequests } from "./sent-requests.ts";
import { modelOf, optionsFor, startTestBackend, toCorrectingScript } from "./test-backend.ts";

const why = "its host reports rate limits, but no used-up window";
const noWindows = Object.fromEntries(
  [
    "that fails with usage limit is a UsageLimitError",
    "reports when a used-up window opens again",
    "with a used-up window is waited for if the caller chose it, and then answers the same request",
    "gets no request while a run waits, and stopping the run ends the wait",
    "holds queued and new runs while one waits, and answers all of them afterwards",
    "that is used up after a tool call repeats no effect",
  ].map((title) => [title, why]),
);

const noBuiltins = Object.fromEntries(
  [
    "apply to the host's own tools as to any other",
    "hide the host's own tools that they disable, and apply the mode to the others",
  ].map((title) => [title, "its host has no tools of its own that run on this machine"]),
);

const noContextWindow = {
  "is compacted before the model's window is full, and the measurement is logged":
    "its host does not report the size of a model's window",
};

const lateUsage = {
  "count every request: also a response that broke off, with the tokens of its prompt":
    "its host reports the tokens of a response when it is complete, so the cost is marked as a part",
};
const reportsLate = ["openai", "openai-compatible", "gateway"];

for (const id of modelApiIds) {
  testBackend(id, {
    skip: {
      ...noBuiltins,
      ...(id === "anthropic" ? {} : noWindows),
      ...(id === "openai-compatible" ? noContextWindow : {}),
      ...(reportsLate.includes(id) ? lateUsage : {}),
    },
    async start(model) {
      const { backend, rehearsal, close } = await startTestBackend(toCorrectingScript(model), (url) =>
        optionsFor(id, url),
      );
      return { backend, model: modelOf[id], sent: () => sentRequests(rehearsal.requests), close };
    },
  });
}
