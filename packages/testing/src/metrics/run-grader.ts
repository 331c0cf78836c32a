import { basename, dirname } from "node:path";
import { isPython } from "@bridle/agent";
import { findUserPosition, loadUserModule } from "@bridle/project";
import { type GraderSource, getErrorMessage, type MetricScorer } from "@bridle/protocol";
import { MetricError } from "../result/planned-metric.ts";
import type { TurnFacts } from "../result/turn-facts.ts";
import type { Grader } from "./grader.ts";
import { type GraderOptions, proofOfGrader } from "./grader-options.ts";
import { runIsolated } from "./isolate-grader.ts";
import { readGrade } from "./read-grade.ts";
import { openPythonGrader } from "./run-python-grader.ts";

const defaultTimeoutMs = 60_000;
const loadMs = 30_000;

/** Prepares a grader. Its module is loaded for the first turn that it scores. */
export function openGrader(source: GraderSource, threshold: number, options: GraderOptions): MetricScorer {
  if (isPython(source)) return openPythonGrader(source, threshold, options);
  let loading: Promise<Grader> | undefined;
  return async (facts, { signal }) => {
    loading ??= loadGrader(source, options);
    const use = { source, signal, timeoutMs: options.graderTimeoutMs ?? defaultTimeoutMs };
    const grade = await runGrader(await loading, facts as TurnFacts, use); // the planner passes all facts of the turn
    return readGrade(grade, source, threshold);
  };
}

async function loadGrader(source: GraderSource, options: GraderOptions): Promise<Grader> {
  const { name, file, function: exported } = source;
  const { folder, loading: watch } = options;
  const where = `in "file" of the metric ${name}`;
  const moduleSource = { file, baseDir: folder, kind: "grader", where, field: "file" };
  const loading = proofOfGrader(source, options)
    .confirm()
    .then(() => runIsolated(`The module ${file}`, () => loadUserModule(moduleSource, { timeoutMs: loadMs, ...watch })));
  const module = await loading.catch((cause: unknown) => {
    throw new MetricError(getErrorMessage(cause), { cause });
  });
  const found: unknown = Reflect.get(module, exported);
  if (typeof found === "function") return found as Grader; // its result is validated
  const names = Object.keys(module);
  const exports = names.length === 0 ? "It exports nothing" : `It exports ${names.join(", ")}`;
  const problem = found === undefined ? "has no export" : "has no function";
  throw new MetricError(`${file} ${problem} "${exported}". ${exports}. Correct "function" of the metric ${name}.`);
}

interface GraderUse {
  readonly source: GraderSource;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Resolves or rejects with the first of these: the grader's result, its error, its timeout, or the end of the tests. */
async function runGrader(grader: Grader, facts: TurnFacts, { source, signal, timeoutMs }: GraderUse): Promise<unknown> {
  const timeout = new AbortController();
  const either = AbortSignal.any([signal, timeout.signal]);
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(either.reason);
  either.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => timeout.abort(timeoutError(source, timeoutMs)), timeoutMs);
  try {
    signal.throwIfAborted();
    const work = async () => grader(facts, { signal: either });
    return await Promise.race([runIsolated(`${source.function} of ${source.file}`, work), aborted.promise]);
  } catch (cause) {
    throw cause instanceof MetricError || signal.aborted ? cause : thrownError(source, cause);
  } finally {
    clearTimeout(timer);
    either.removeEventListener("abort", onAbort);
  }
}

function timeoutError({ file, function: exported }: GraderSource, timeoutMs: number): MetricError {
  return new MetricError(
    `${exported} of ${file} took longer than ${timeoutMs / 1000} s. Make it end in time, for example when its signal is aborted.`,
  );
}

function thrownError({ file, function: exported }: GraderSource, cause: unknown): MetricError {
  const position = cause instanceof Error ? findUserPosition(cause, [dirname(import.meta.dirname)]) : undefined;
  const where = position === undefined ? "" : ` (${basename(position.path)}:${position.line})`;
  return new MetricError(`${exported} of ${file} threw${where}: ${getErrorMessage(cause)}. Correct the function.`, {
    cause,
  });
}
