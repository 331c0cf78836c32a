import { createMemoryBackend } from "./memory-backend.ts";
import { testBackend } from "./suite.ts";

testBackend("the in-memory backend", {
  builtin: { call: { tool: "peek", input: {} }, output: "peek of the host ran" },
  skip: { "are requested again in the same step if their input does not fit, and then run": "it corrects no calls" },
  async start(model) {
    const backend = createMemoryBackend(model, { builtins: { peek: { readOnly: true } } });
    return { backend, model: "memory-1", sent: () => backend.sent, close: async () => {} };
  },
});
