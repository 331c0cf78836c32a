import { testBackend } from "@bridle/conformance";
import { sentRequests } from "./support/sent-requests.ts";
import { startTestBackend, toScript } from "./support/test-backend.ts";

testBackend("copilot", {
  skip: {},
  async start(model) {
    const { backend, rehearsal, close } = await startTestBackend(toScript(model), { contextWindow: 1_000_000 });
    return { backend, model: "gpt-6-sol", sent: () => sentRequests(rehearsal.requests), close };
  },
});
