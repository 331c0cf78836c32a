import { withProject } from "@bridle/app/project";
import { z } from "zod";
import { defineCommand } from "../../command/command.ts";
import { testFlags } from "../test/test-options.ts";

const { parallel, trials, backend, auth, rehearse, failFast, resume, onUsageLimit, maxWait } = testFlags;
const { report, output, json, projectDir, namespace, trust, envFile } = testFlags;

export const contextEvalCommand = defineCommand({
  description: `Ask an agent questions with known answers, and compare the rows of its last SQL statement with the
reference rows. The questions come from context/questions and run as test cases, so bridle test show, history and
compare work on the results.`,
  notes: `Exit codes:
  0 all questions passed, 1 some did not pass, 2 usage, or no questions,
  3 configuration, or a wrong known answer, 4 authentication, 5 the backend
  failed, or the usage window is used up, 130 interrupted (143 by SIGTERM,
  129 by SIGHUP): finished questions are stored, and --resume continues`,
  operand: { name: "file", description: "a question file (default: all files in context/questions)" },
  flags: {
    case: {
      flag: "--case <name>",
      description: "ask only the question with this name (can be repeated)",
      value: z.array(z.string().min(1)),
      expected: "the name of a question",
      isRepeated: true,
    },
    tag: {
      flag: "--tag <tag>",
      description: "ask only questions with this tag (can be repeated)",
      value: z.array(z.string().min(1)),
      expected: "a tag",
      isRepeated: true,
    },
    check: {
      flag: "--check",
      description: "only compute the known answers, without a model",
      value: z.boolean(),
      excludes: ["baseline", "withoutContext", "resume", "report", "output", "trials", "rehearse"],
    },
    withoutContext: {
      flag: "--without-context",
      description: "give the agent only the declared tables, columns and keys of the databases",
      value: z.boolean(),
    },
    baseline: {
      flag: "--baseline",
      description: "first ask without the context, then compare",
      value: z.boolean(),
      excludes: ["withoutContext", "resume"],
    },
    parallel: {
      ...parallel,
      description: "number of questions to ask in parallel (default: 4; in a rehearsal, at most one per processor)",
    },
    trials: { ...trials, description: "number of trials for each question (default: 1)" },
    backend,
    auth,
    rehearse,
    failFast: { ...failFast, description: "start no more questions after the first failed one" },
    resume: { ...resume, expected: "the id of a test run; put the file of questions before it" },
    onUsageLimit,
    maxWait,
    report,
    output,
    json,
    projectDir,
    namespace,
    trust,
    envFile,
  },
  examples: [
    "bridle context eval",
    "bridle context eval --check",
    "bridle context eval context/questions/shop.yaml --tag fan-out --trials 3",
    "bridle context eval --baseline --report html --output eval.html",
    "bridle context eval --resume",
  ],
  async run({ operand: file, flags }, cli) {
    const opened = await withProject(flags, cli);
    const { checkAndPrint, evaluateAndPrint } = await import("./evaluate-and-print.ts");
    return flags.check ? checkAndPrint({ ...flags, file }, opened) : evaluateAndPrint({ ...flags, file }, opened);
  },
});
