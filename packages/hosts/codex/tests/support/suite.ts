import type { ConformanceHarness } from "@bridle/conformance";
import { sentRequests } from "./codex-wire.ts";
import { startCodex, toScript } from "./test-backend.ts";

const simplified = "its host leaves keywords such as minimum and default out of the schemas that it sends";
const noBuiltins = "none of the host's own tools can be opened here yet";

/** The behaviours that Codex cannot have, each with the reason. */
const skip = {
  "streams the input of calls if it was asked to, in pieces that join to the input":
    "its host passes no pieces of a call's input on",
  "count every request: also a response that broke off, with the tokens of its prompt":
    "its host reports the tokens of a response when it is complete, so the cost is marked as a part",
  "reach the model with their names, descriptions and JSON Schemas, and no other tool does": simplified,
  "with an input schema from elsewhere reach the model with exactly that schema": simplified,
  "are requested again in the same step if their input does not fit, and then run":
    "its model gets the reason, and corrects the call in the next step",
  "apply to the host's own tools as to any other": noBuiltins,
  "hide the host's own tools that they disable, and apply the mode to the others": noBuiltins,
};

/** The adapter of the conformance suite to Codex with a model. */
export function suiteOf(model: string): ConformanceHarness {
  return {
    skip,
    async start(script) {
      const { backend, rehearsal, close } = await startCodex(toScript(script));
      return { backend, model, sent: () => sentRequests(rehearsal.requests), close };
    },
  };
}
