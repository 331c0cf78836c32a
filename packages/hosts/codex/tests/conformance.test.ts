import { testBackend } from "@bridle/conformance";
import { suiteOf } from "./support/suite.ts";

testBackend("codex", suiteOf("gpt-6-sol"));
