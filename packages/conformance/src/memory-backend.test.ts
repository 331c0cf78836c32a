import { createMemoryBackend } from "./memory-backend.ts";
import { testBackend } from "./suite.ts";

testBackend("the in-memory backend", {
  builtin: { call: { tool: "peek", input: {} }, output: "peek of the host ran" },
  async start(model) {
    const backend = createMemoryBackend(model, { builtins: { peek: { readOnly: true } } });
    return { backend, model: "memory-1", sent: () => backend.sent, close: async () => {} };
  },
});
