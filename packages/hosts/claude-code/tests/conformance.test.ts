import { testBackend } from "@bridle/conformance";
import { toScript } from "../../shared/tests/to-script.ts";
import { claudeRefusals, sentRequests, startTestContext } from "./support/test-context.ts";

const inOrder = "run allowed calls in the model's order, in whatever order the answers come";

testBackend("claude-code", {
  builtin: { call: { tool: "Read", input: { file_path: import.meta.filename } }, output: "testBackend(" },
  skip: {
    [inOrder]: "its host requests calls that may change something one after another",
    "are requested again in the same step if their input does not fit, and then run":
      "its model gets the reason, and corrects the call in the next step",
  },
  async start(model) {
    const { backend, rehearsal, close } = await startTestContext(toScript(model, claudeRefusals), {
      extraEnvironment: { CLAUDE_CODE_MAX_RETRIES: "1" },
    });
    return { backend, model: "sonnet", sent: () => sentRequests(rehearsal.requests), close };
  },
});
