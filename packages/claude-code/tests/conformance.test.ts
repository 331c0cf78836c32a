import { testBackend } from "@bridle/core/conformance";
import { sentRequests, startSession, toScript } from "./stage.ts";

testBackend("claude-code", {
  async start(model) {
    const { backend, rehearsal, close } = await startSession(toScript(model), {
      extraEnvironment: { CLAUDE_CODE_MAX_RETRIES: "1" },
    });
    return { backend, model: "sonnet", sent: () => sentRequests(rehearsal.requests), close };
  },
});
