import { z } from "zod";
import type { Flags } from "../../command/command.ts";
import { projectFlags } from "../../command/project-flags.ts";
import { agentFlags } from "../run/agent-flags.ts";
import { reportFlags } from "./report-output.ts";

const { backend, auth, rehearse, onUsageLimit, maxWait } = agentFlags;
const wholeFromOne = { value: z.coerce.number().int().min(1), expected: "a whole number from 1" };

export const resultOperand = {
  name: "id",
  description: 'a test run: its id or a prefix of it, "newest", "previous", or a results file',
};

/** The flags of `bridle test`. */
export const testFlags = {
  case: {
    flag: "--case <name>",
    description: "run only this case (can be repeated)",
    value: z.array(z.string().min(1)),
    expected: "the name of a case",
    isRepeated: true,
  },
  parallel: {
    flag: "--parallel <n>",
    description:
      "number of trials to run in parallel (default: execution.parallel_test_cases of the agent, otherwise 4; in a rehearsal, at most one per processor)",
    ...wholeFromOne,
  },
  trials: { flag: "--trials <n>", description: "number of trials for each case (default: 1)", ...wholeFromOne },
  backend: { ...backend, description: backend.description.replace("the model", "the agent's model") },
  auth,
  rehearse,
  failFast: {
    flag: "--fail-fast",
    description: "start no more cases after the first failed one",
    value: z.boolean(),
  },
  allowSideEffects: {
    flag: "--allow-side-effects",
    description: "allow tools that make irreversible changes (default: deny them in tests)",
    value: z.boolean(),
  },
  judges: {
    flag: "--no-judges",
    description: "skip the metrics that a model judges",
    value: z.boolean(),
  },
  resume: {
    flag: "--resume [id]",
    description: "resume this unfinished test run (default: the newest); finished cases do not run again",
    value: z.union([z.literal(true), z.string().regex(/^[\w-]+$/)]),
    expected: "the id of a test run; put the agent file before it",
  },
  onUsageLimit,
  maxWait,
  ...reportFlags,
  ...projectFlags,
} satisfies Flags;
