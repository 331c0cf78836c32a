import { testBackend } from "@bridle/core/conformance";
import { type ModelApiId, modelApiIds } from "../src/options.ts";
import { sentRequests } from "./sent-requests.ts";
import { modelOf, optionsFor, startStage, toScript } from "./stage.ts";

const noWindows = {
  "that fails with usage limit is a UsageLimitError": "its hosts name no window that is used up, only a rate",
  "says when a used-up window opens again": "its hosts name no window that is used up, only a rate",
};
const skipped: Partial<Record<ModelApiId, Record<string, string>>> = {
  gateway: noWindows,
  openai: noWindows,
  "openai-compatible": noWindows,
};

for (const id of modelApiIds) {
  testBackend(id, {
    skip: skipped[id] ?? {},
    async start(model) {
      const { backend, rehearsal, close } = await startStage(toScript(model), (url) => optionsFor(id, url));
      return { backend, model: modelOf[id], sent: () => sentRequests(rehearsal.requests), close };
    },
  });
}
