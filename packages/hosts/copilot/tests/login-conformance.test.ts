/**
 * Runs the whole suite on a login, with the same runtime but another service. Only `npm run soak` runs this. In `npm test`, `login.test.ts`
 * covers the differences that a login makes.
 */
import { testBackend } from "@bridle/conformance";
import { describe } from "vitest";
import { isSoak } from "../../../../tests/support/soak.ts";
import { sentRequests } from "../../model-api/tests/sent-requests.ts";
import { toScript } from "../../shared/tests/to-script.ts";
import { copilotSkips } from "./support/skips.ts";
import { copilotRefusals } from "./support/test-backend.ts";
import { startCopilotSession } from "./support/test-session.ts";

const refusals = { ...copilotRefusals, "usage-limit": { ...copilotRefusals["usage-limit"], status: 402 } };

describe.runIf(isSoak)("with a login", () => {
  testBackend("copilot with a login", {
    skip: {
      ...copilotSkips,
      "reports that it refuses its credentials": "its check asks GitHub for the account and its models, but no model",
    },
    async start(model) {
      const { backend, rehearsal, close } = await startCopilotSession(toScript(model, refusals));
      return { backend, model: "gpt-6-sol", sent: () => sentRequests(rehearsal.requests), close };
    },
  });
});
