/**
 * Tests an older model. Older models get their tools in another part of the request, and may request several calls in one response. `npm
 * run soak` runs the whole suite on one of them; `npm test` covers them in `boundary.test.ts` and `sessions.test.ts`.
 */
import { testBackend } from "@bridle/conformance";
import { describe } from "vitest";
import { suiteOf } from "./support/suite.ts";

describe.runIf(process.env.SOAK_FACTOR !== undefined)("with an older model", () => {
  testBackend("codex with gpt-5.5", suiteOf("gpt-5.5"));
});
