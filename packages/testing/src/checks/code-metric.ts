import { basename } from "node:path";
import { reasonOf } from "@bridle/core";
import { passes } from "@bridle/metrics";
import { type LoadModuleOptions, loadUserModule, placeOf } from "@bridle/project";
import { z } from "zod";
import type { MetricConfig } from "./case-config.ts";
import { MetricError, type PlannedMetric, type Scored } from "./planned-metric.ts";
import type { TurnFacts } from "./turn-facts.ts";

/**
 * What a grader says of a turn: a share from 0 to 1, or whether it is good, which is 1 or 0. A `passed` beside a score is
 * held against the threshold: where they differ, the metric fails as one that could not run.
 */
export type Grade =
  | number
  | boolean
  | { score: number; reason?: string; passed?: boolean }
  | { passed: boolean; reason?: string };

/**
 * A function of yours that judges a turn.
 *
 * Contract: changes nothing of what it is given, which is frozen; ends within a minute, or when `signal` is aborted; throws
 * where it cannot judge, which fails the test.
 */
export type Grader = (facts: TurnFacts, context: { readonly signal: AbortSignal }) => Grade | Promise<Grade>;

export type CodeConfig = Extract<MetricConfig, { type: "code" }>;

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

const reason = z.string().optional();
const share = z.number().min(0).max(1);

const gradeSchema = z.union([
  share.transform((score) => ({ score })),
  z.boolean().transform((passed) => ({ score: passed ? 1 : 0 })),
  z.strictObject({ score: share, reason, passed: z.boolean().optional() }),
  z
    .strictObject({ passed: z.boolean(), reason })
    .transform(({ passed, ...rest }) => ({ score: passed ? 1 : 0, ...rest })),
]);

/** A grader of the file, ready to be used; its module is loaded by the first turn that it judges. */
export function codeMetric(config: CodeConfig, around: GraderSurroundings): PlannedMetric {
  const { name, threshold = defaultThreshold } = config;
  let grader: Promise<Grader> | undefined;
  return {
    ...{ name, type: "code", metric: "code", threshold, passes: "at-least", unit: null },
    async score(facts, signal) {
      grader ??= load(config, around);
      return toScored(await grade(await grader, { config, facts, signal, around }), config, threshold);
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
  const module = await loadUserModule(source, { timeoutMs: loadMs, ...around.loading }).catch((cause: unknown) => {
    throw new MetricError(reasonOf(cause), { cause });
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
  const answer = async () => grader(facts, { signal: given });
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
  const place = cause instanceof Error ? placeOf(cause, [import.meta.dirname]) : undefined;
  const where = place === undefined ? "" : ` (${basename(place.path)}:${place.line})`;
  return new MetricError(`${exported} of ${file} threw${where}: ${reasonOf(cause)}. Mend it.`, { cause });
}

function toScored(given: unknown, { file, function: exported }: CodeConfig, threshold: number): Scored {
  const parsed = gradeSchema.safeParse(given);
  if (!parsed.success) {
    const accepted = "Return a number from 0 to 1, true or false, or { score, reason }";
    throw new MetricError(`${exported} of ${file} returned ${shown(given)}, which is no grade. ${accepted}.`);
  }
  const { passed, reason: why, score } = { passed: undefined, reason: undefined, ...parsed.data };
  if (passed !== undefined && passed !== passes(score, threshold, "at-least")) {
    const sides = `passed: ${passed} with the score ${score}, and the threshold is ${threshold}`;
    throw new MetricError(`${exported} of ${file} returned ${sides}. Correct one of them, or return no "passed".`);
  }
  return { score, ...(why !== undefined && { reason: why }) };
}

function shown(given: unknown): string {
  if (typeof given === "function" || typeof given === "symbol" || given === undefined) return typeof given;
  if (typeof given === "number" || typeof given === "bigint") return String(given);
  try {
    return JSON.stringify(given).slice(0, 200);
  } catch {
    return "what JSON cannot hold";
  }
}
