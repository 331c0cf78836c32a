import { testBackend } from "@bridle/conformance";
import { sentRequests } from "./support/codex-wire.ts";
import { startCodex, toScript } from "./support/test-backend.ts";

for (const model of ["gpt-5.5", "gpt-6-sol"]) {
  testBackend(`codex with ${model}`, {
    async start(script) {
      const { backend, rehearsal, close } = await startCodex(toScript(script));
      return { backend, model, sent: () => sentRequests(rehearsal.requests), close };
    },
  });
}
