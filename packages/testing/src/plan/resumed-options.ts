import { resolve } from "node:path";
import type { AgentSettings } from "@bridle/agent";
import { backendNames } from "@bridle/project";
import { ConfigError, canonicalJson } from "@bridle/protocol";
import type { TestPlan } from "../result/test-plan.ts";
import { scriptOfProgram, shownModel } from "./make-plan.ts";
import type { RunTestsOptions } from "./run-tests-options.ts";

type Host = Pick<RunTestsOptions, "backend" | "model" | "rehearse">;

/** Returns the host of the resumed invocation, unless the caller names another. `settings` are the settings without it. */
export function resumedHost(plan: TestPlan, options: RunTestsOptions, settings: AgentSettings): Host {
  const backend = options.backend ?? backendNames.find((name) => name === plan.backend);
  const isOther = backend !== settings.provider.backend || shownModel(settings) !== plan.model;
  const model = options.model ?? (isOther && !isReference(plan.model) ? plan.model : undefined);
  const rehearse = options.rehearse ?? scriptOf(plan, settings);
  return {
    ...(backend !== undefined && { backend }),
    ...(model !== undefined && { model }),
    ...(rehearse !== undefined && { rehearse }),
  };
}

function scriptOf({ rehearsal }: TestPlan, { projectDir }: AgentSettings): string | undefined {
  if (rehearsal === null) return undefined;
  if (rehearsal !== scriptOfProgram) return resolve(projectDir, rehearsal);
  throw new ConfigError("The resumed invocation used a rehearsal script that a program passed. Pass the script again.");
}

/** Whether a model is a reference such as `${MODEL}`, which the file still contains. */
function isReference(model: string): boolean {
  return model.includes("${");
}

/** Throws ConfigError if the plan of the resumed invocation differs from the current plan, because their results could not be combined. */
export function requireSame(earlier: TestPlan, now: TestPlan, id: string): void {
  if (earlier.agent.name !== now.agent.name) {
    const were = `${id} tests the agent ${earlier.agent.name} of ${earlier.agent.file}, and this is ${now.agent.name} of ${now.agent.file}.`;
    throw new ConfigError(`${were} Name that file, or another invocation.`);
  }
  const changed = changedPart(earlier, now);
  if (changed !== undefined)
    throw other(`${changed} has changed since ${id} began, so the results cannot be combined.`);
  const differing = differences(earlier, now).map(
    ([what, before, after]) => `${what} was ${before}, and is now ${after}`,
  );
  if (differing.length > 0) throw other(`${id} cannot be resumed with these options: ${differing.join("; ")}.`);
  if (earlier.fingerprint === now.fingerprint) return;
  throw other(
    `The response format, or the script of the rehearsal, has changed since ${id} began, so the results cannot be combined.`,
  );
}

/** Lists changes in the versions, code, files, settings and judges of an invocation, and the cases whose results are no longer valid. */
export interface ChangedContents {
  readonly what: readonly string[];
  /** The names of the cases in results. */
  readonly cases: readonly string[];
}

export function changedContents(earlier: TestPlan, now: TestPlan): ChangedContents {
  const versions = changedVersions(earlier.versions, now.versions);
  const isOther = (name: string) => earlier.caseContents[name] !== now.caseContents[name];
  return {
    what: [...versions, ...changedKeys(earlier.contents, now.contents)],
    cases: now.cases.filter((name) => versions.length > 0 || isOther(name)),
  };
}

type Texts = Readonly<Record<string, string>>;

function changedKeys(earlier: Texts, now: Texts): string[] {
  const keys = new Set([...Object.keys(earlier), ...Object.keys(now)]);
  return [...keys].filter((key) => earlier[key] !== now[key]);
}

/**
 * Lists changed versions of Bridle, the host and its packages, which affect every result. Node.js does not, so results of two machines can
 * be combined.
 */
function changedVersions(earlier: Texts, now: Texts): string[] {
  const changed = changedKeys(earlier, now).filter((name) => name !== "node");
  return changed.map((name) => `${name} (${earlier[name] ?? "none"}, now ${now[name] ?? "none"})`);
}

function differences(earlier: TestPlan, now: TestPlan): [what: string, before: string, after: string][] {
  const pairs: [string, unknown, unknown][] = [
    ["the backend", earlier.backend, now.backend],
    ["the model", earlier.model, now.model],
    ["the rehearsal", earlier.rehearsal ?? "none", now.rehearsal ?? "none"],
    ["the choice of cases", earlier.cases.join(", "), now.cases.join(", ")],
    ["the number of trials", earlier.trials, now.trials],
    ["allowSideEffects", earlier.allowSideEffects, now.allowSideEffects],
  ];
  return pairs
    .filter(([, before, after]) => before !== after)
    .map(([what, ...both]) => [what, `${both[0]}`, `${both[1]}`]);
}

function changedPart(earlier: TestPlan, now: TestPlan): string | undefined {
  if (earlier.instructions.sha256 !== now.instructions.sha256) return "The text of the instructions";
  if (!isSame(earlier.configuration, now.configuration)) return `The agent file ${now.agent.file}`;
  return isSame(earlier.rules, now.rules) ? undefined : "policy in bridle.yaml";
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

function other(reason: string): ConfigError {
  return new ConfigError(`${reason} Undo the change, or start again without --resume.`);
}
