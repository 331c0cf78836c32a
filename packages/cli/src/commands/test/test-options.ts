import { z } from "zod";
import { type Flags } from "../../command-line/command.ts";
import { projectFlags } from "../../command-line/project-flags.ts";
import { runFlags } from "../run/run-options.ts";
import { reportFlags } from "./report-output.ts";

const { backend, auth, rehearse, onUsageLimit, maxWait } = runFlags;
const wholeFromOne = { value: z.coerce.number().int().min(1), expected: "a whole number from 1" };

/** The options of `bridle test`. */
export const testFlags = {
  case: {
    flag: "--case <name>",
    description: "only the case of this name; may be given several times",
    value: z.array(z.string().min(1)),
    expected: "the name of a case",
    isRepeated: true,
  },
  parallel: {
    flag: "--parallel <n>",
    description: "how many run at a time (default: execution.parallel_test_cases of the agent, else 4)",
    ...wholeFromOne,
  },
  trials: { flag: "--trials <n>", description: "how often each case runs (default: 1)", ...wholeFromOne },
  backend: { ...backend, description: backend.description.replace("the model", "the agent's model") },
  auth,
  rehearse,
  failFast: {
    flag: "--fail-fast",
    description: "start nothing more after the first case that does not pass",
    value: z.boolean(),
  },
  allowSideEffects: {
    flag: "--allow-side-effects",
    description: "let tools run that change what cannot be brought back; by default they are denied in tests",
    value: z.boolean(),
  },
  resume: {
    flag: "--resume [id]",
    description: "go on with the newest tests, or with these, where they did not end; nothing that ended runs again",
    value: z.union([z.literal(true), z.string().regex(/^[\w-]+$/)]),
    expected: "the id of an invocation; put the agent's file before it",
  },
  onUsageLimit,
  maxWait,
  ...reportFlags,
  ...projectFlags,
} satisfies Flags;
