/** Older models get their tools in another part of the request, and may request several calls in one response. */
import { testBackend } from "@bridle/conformance";
import { suiteOf } from "./support/suite.ts";

testBackend("codex with gpt-5.5", suiteOf("gpt-5.5"));
