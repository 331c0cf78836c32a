import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConformanceHarness } from "@bridle/conformance";
import { afterAll, beforeAll } from "vitest";
import { toScript } from "../../../shared/tests/to-script.ts";
import { sentRequests } from "./codex-wire.ts";
import { codexRefusals, startCodex } from "./test-backend.ts";

const simplified = "its host leaves keywords such as minimum and default out of the schemas that it sends";
const onlyPatches = "its only tool that can be opened changes files";

/** The behaviours that Codex does not support, each with the reason. */
const skip = {
  "streams the input of calls if it was asked to, in pieces that join to the input":
    "its host does not stream the input of a call",
  "count every request: also a response that broke off, with the tokens of its prompt":
    "its host reports the tokens of a response when it is complete, so the cost is marked as a part",
  "reach the model with their names, descriptions and JSON Schemas, and no other tool does": simplified,
  "with an input schema from elsewhere reach the model with exactly that schema": simplified,
  "are requested again in the same step if their input does not fit, and then run":
    "its model gets the reason, and corrects the call in the next step",
  "hide the host's own tools that they disable, and apply the mode to the others": onlyPatches,
};

/** Adapts the conformance suite to Codex with a model. */
export function suiteOf(model: string): ConformanceHarness {
  const projectDir = join(tmpdir(), `bridle-codex-suite-${randomUUID()}`);
  beforeAll(() => mkdirSync(projectDir));
  afterAll(() => rmSync(projectDir, { recursive: true, force: true }));
  const input = "*** Begin Patch\n*** Add File: a.txt\n+a\n*** End Patch";
  return {
    skip,
    builtin: { call: { tool: "apply_patch", input }, output: "Success. Updated", projectDir },
    async start(script) {
      const { backend, rehearsal, close } = await startCodex(toScript(script, codexRefusals));
      return { backend, model, sent: () => sentRequests(rehearsal.requests), close };
    },
  };
}
