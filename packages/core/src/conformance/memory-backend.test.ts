import { createMemoryBackend } from "./memory-backend.ts";
import { testBackend } from "./suite.ts";

testBackend("the in-memory backend", {
  async start(model) {
    const backend = createMemoryBackend(model);
    return { backend, model: "memory-1", sent: () => backend.sent, close: async () => {} };
  },
});
