/**
 * Runs the tests for rare faults much longer than `npm test` does. They cover processes that share an event log, calls
 * that share processes of Claude Code, and random runs, rules and histories. Takes about ten minutes.
 */
import { delimiter } from "node:path";
import { enterCleanEnvironment } from "./clean-environment.ts";
import { binFolder, runCommand } from "./run-command.ts";

const files = [
  "packages/stores/sqlite/tests/processes.test.ts",
  "packages/stores/sqlite/tests/crash.test.ts",
  "packages/stores/postgres/tests/log-processes.test.ts",
  "packages/stores/postgres/tests/sharing-machines.test.ts",
  "packages/hosts/claude-code/tests/leaks.test.ts",
  "packages/hosts/claude-code/tests/native-sessions.test.ts",
  "packages/core/src/policy/policy-random.test.ts",
  "packages/core/src/policy/policy-paths.test.ts",
  "packages/core/src/redaction/secret-encodings.test.ts",
  "packages/core/src/redaction/credential-watch.test.ts",
  "packages/core/src/redaction/event-redaction.test.ts",
  "packages/core/src/redaction/redactor.test.ts",
  "packages/core/src/tools/excerpt-redaction.test.ts",
  "packages/core/src/run/engine-random.test.ts",
  "packages/core/src/sessions/compaction-random.test.ts",
  "packages/cli/src/questions/question-cards.test.ts",
  "packages/cli/src/questions/trust-question.test.ts",
  "packages/app/src/bundles/forged-texts.test.ts",
  "packages/documents/tests/parser-fuzz.test.ts",
  "tests/crashes-shared-sessions.test.ts",
];

enterCleanEnvironment();
process.env.PATH = [binFolder, process.env.PATH].join(delimiter);
const scale = { SOAK_SECONDS: "60", SOAK_CALLS: "400", SOAK_SESSIONS: "40", SOAK_FACTOR: "20" };
const { code } = await runCommand("vitest", ["run", "--testTimeout=1200000", ...files], "inherit", scale);
process.exitCode = code === 0 ? 0 : 1;
