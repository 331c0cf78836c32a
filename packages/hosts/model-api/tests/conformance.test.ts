import { testBackend } from "@bridle/conformance";
import { modelApiIds } from "../src/settings/options.ts";
import { sentRequests } from "./sent-requests.ts";
import { modelOf, optionsFor, startTestBackend, toScript } from "./test-backend.ts";

const why = "its host names no window that is used up, only a rate";
const noWindows = Object.fromEntries(
  [
    "that fails with usage limit is a UsageLimitError",
    "says when a used-up window opens again",
    "with a used-up window is waited for where the owner chose so, and then answers the same request",
    "is not asked again while a run waits, and stopping the run ends the wait",
    "holds every run while one waits, queued and new ones, and answers them all afterwards",
    "that is used up after a tool has run has nothing done twice",
  ].map((title) => [title, why]),
);

const noBuiltins = Object.fromEntries(
  [
    "hold for a tool of the host's own as for any other",
    "take from the model a tool of the host's own that they disable, and let the mode judge it",
  ].map((title) => [title, "its host has no tools of its own that run on this machine"]),
);

const noContextWindow = {
  "is made shorter before the model's window is full, with what measured it on record":
    "nobody says how large the window of a model there is",
};

for (const id of modelApiIds) {
  testBackend(id, {
    skip: {
      ...noBuiltins,
      ...(id === "anthropic" ? {} : noWindows),
      ...(id === "openai-compatible" ? noContextWindow : {}),
    },
    async start(model) {
      const { backend, rehearsal, close } = await startTestBackend(toScript(model), (url) => optionsFor(id, url));
      return { backend, model: modelOf[id], sent: () => sentRequests(rehearsal.requests), close };
    },
  });
}
