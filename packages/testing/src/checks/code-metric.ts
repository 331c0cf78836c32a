import { basename, dirname } from "node:path";
import { type LoadModuleOptions, loadUserModule, placeOf } from "@bridle/project";
import { getErrorMessage } from "@bridle/protocol";
import type { MetricConfig } from "./case-config.ts";
import type { Grader } from "./grader.ts";
import { asGrader } from "./grader-faults.ts";
import { MetricError, type PlannedMetric } from "./planned-metric.ts";
import { readGrade } from "./read-grade.ts";
import type { TurnFacts } from "./turn-facts.ts";

type CodeConfig = Extract<MetricConfig, { type: "code" }>;

export interface GraderSurroundings {
  /** The folder of the agent's file. */
  readonly baseDir: string;
  /** What watches over the module while it is loaded. */
  readonly loading?: LoadModuleOptions;
  /** How long a grader may take, in milliseconds. Default: 60,000. */
  readonly graderTimeoutMs?: number;
}

const defaultTimeoutMs = 60_000;
const loadMs = 30_000;
const defaultThreshold = 0.5;

/** A grader of the file, ready to be used; its module is loaded by the first turn that it judges. */
export function codeMetric(config: CodeConfig, around: GraderSurroundings): PlannedMetric {
  const { name, threshold = defaultThreshold } = config;
  let grader: Promise<Grader> | undefined;
  return {
    ...{ name, type: "code", metric: "code", threshold, passes: "at-least", unit: null },
    async score(facts, signal) {
      grader ??= load(config, around);
      return readGrade(await grade(await grader, { config, facts, signal, around }), config, threshold);
    },
  };
}

async function load({ name, file, function: exported }: CodeConfig, around: GraderSurroundings): Promise<Grader> {
  const source = {
    file,
    baseDir: around.baseDir,
    kind: "grader",
    where: `in "file" of the metric ${name}`,
    field: "file",
  };
  const loading = asGrader(() => loadUserModule(source, { timeoutMs: loadMs, ...around.loading }));
  const module = await loading.catch((cause: unknown) => {
    throw new MetricError(getErrorMessage(cause), { cause });
  });
  const found: unknown = Reflect.get(module, exported);
  if (typeof found === "function") return found as Grader; // what it returns is parsed
  const names = Object.keys(module);
  const there = names.length === 0 ? "It exports nothing" : `It exports ${names.join(", ")}`;
  const what = found === undefined ? "has no export" : "has no function";
  throw new MetricError(`${file} ${what} "${exported}". ${there}. Correct "function" of the metric ${name}.`);
}

interface Grading {
  readonly config: CodeConfig;
  readonly facts: TurnFacts;
  readonly signal: AbortSignal;
  readonly around: GraderSurroundings;
}

/** Whatever comes first: its answer, what it throws, the end of its time, or the end of the tests. */
async function grade(grader: Grader, { config, facts, signal, around }: Grading): Promise<unknown> {
  const { graderTimeoutMs: timeoutMs = defaultTimeoutMs } = around;
  const giveUp = new AbortController();
  const given = AbortSignal.any([signal, giveUp.signal]);
  const ended = Promise.withResolvers<never>();
  const stop = () => ended.reject(given.reason);
  given.addEventListener("abort", stop, { once: true });
  const answer = () => asGrader(async () => grader(facts, { signal: given }));
  const timer = setTimeout(() => giveUp.abort(tooSlow(config, timeoutMs)), timeoutMs);
  try {
    signal.throwIfAborted();
    return await Promise.race([answer(), ended.promise]);
  } catch (cause) {
    throw cause instanceof MetricError || signal.aborted ? cause : thrown(config, cause);
  } finally {
    clearTimeout(timer);
    given.removeEventListener("abort", stop);
  }
}

function tooSlow({ file, function: exported }: CodeConfig, timeoutMs: number): MetricError {
  return new MetricError(
    `${exported} of ${file} took longer than ${timeoutMs / 1000} s. Make it end, such as by the signal that it is given.`,
  );
}

function thrown({ file, function: exported }: CodeConfig, cause: unknown): MetricError {
  const place = cause instanceof Error ? placeOf(cause, [dirname(import.meta.dirname)]) : undefined;
  const where = place === undefined ? "" : ` (${basename(place.path)}:${place.line})`;
  return new MetricError(`${exported} of ${file} threw${where}: ${getErrorMessage(cause)}. Mend it.`, { cause });
}
