import { testBackend } from "@bridle/conformance";
import { sentRequests, startTestContext, toScript } from "./support/test-context.ts";

const inOrder = "run allowed calls in the model's order, in whatever order the answers come";

testBackend("claude-code", {
  builtin: { call: { tool: "Read", input: { file_path: import.meta.filename } }, output: "testBackend(" },
  skip: { [inOrder]: "its host requests calls that may change something one after another" },
  async start(model) {
    const { backend, rehearsal, close } = await startTestContext(toScript(model), {
      extraEnvironment: { CLAUDE_CODE_MAX_RETRIES: "1" },
    });
    return { backend, model: "sonnet", sent: () => sentRequests(rehearsal.requests), close };
  },
});
