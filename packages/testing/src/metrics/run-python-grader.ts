/** Runs graders in Python. Each grader has its own process, which ends with it. */
import { PythonWorker } from "@bridle/agent";
import { type GraderSource, getErrorMessage, isPlainObject, type MetricScorer } from "@bridle/protocol";
import { MetricError } from "../result/planned-metric.ts";
import type { TurnFacts } from "../result/turn-facts.ts";
import { type GraderOptions, proofOfGrader } from "./grader-options.ts";
import { readGrade } from "./read-grade.ts";

/** Prepares a grader in Python. No process is started before the first turn is scored. */
export function openPythonGrader(source: GraderSource, threshold: number, options: GraderOptions): MetricScorer {
  const { file, function: name, python } = source;
  const { folder, environment = {}, graderTimeoutMs = 60_000 } = options;
  const trusted = proofOfGrader(source, options);
  return async (facts, { signal }) => {
    const worker = new PythonWorker({ file, baseDir: folder, python, environment, trusted });
    const timeout = AbortSignal.timeout(graderTimeoutMs);
    const limit = AbortSignal.any([signal, timeout]);
    try {
      const input = toContext(facts as TurnFacts); // the planner passes all facts of the turn
      return readGrade(toGrade(await worker.request({ do: "grade", function: name, input }, limit)), source, threshold);
    } catch (cause) {
      if (cause instanceof MetricError || signal.aborted) throw cause;
      const seconds = graderTimeoutMs / 1000;
      const late = `${name} of ${file} took longer than ${seconds} s. Make it end in time.`;
      throw new MetricError(timeout.aborted ? late : getErrorMessage(cause), { cause });
    } finally {
      await worker.close();
    }
  };
}

/** Returns the facts of a turn with HoloDeck's names. */
function toContext(facts: TurnFacts): object {
  const { input, answer, groundTruth = null, calls, retrievalContext, turn, caseName, config } = facts;
  return {
    turn_input: input,
    agent_response: answer,
    ground_truth: groundTruth,
    retrieval_context: retrievalContext,
    turn_index: turn - 1,
    test_case_name: caseName,
    turn_config: config,
    tool_invocations: calls.map(({ tool, input: args, output, state }) => ({
      name: tool,
      args,
      result: output,
      bytes: Buffer.byteLength(output ?? ""),
      error: state === "succeeded" ? null : (output ?? state),
    })),
  };
}

/** Reads a result. Results of HoloDeck graders have `details`, and nulls for omitted values. */
function toGrade(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key, each]) => key !== "details" && each !== null));
}
