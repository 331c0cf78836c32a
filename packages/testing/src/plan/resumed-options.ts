import { resolve } from "node:path";
import type { AgentSettings } from "@bridle/agent";
import { backendNames } from "@bridle/project";
import { ConfigError, canonicalJson } from "@bridle/protocol";
import type { TestPlan } from "../result/test-plan.ts";
import type { RunTestsOptions } from "../run/run-tests-options.ts";
import { shownModel } from "./make-plan.ts";

type Host = Pick<RunTestsOptions, "backend" | "model" | "rehearse">;

/** The host of an earlier invocation, where the caller names no other. `settings` are those without it. */
export function resumedHost(plan: TestPlan, options: RunTestsOptions, settings: AgentSettings): Host {
  const backend = options.backend ?? backendNames.find((name) => name === plan.backend);
  const isOther = backend !== settings.provider.backend || shownModel(settings) !== plan.model;
  const model = options.model ?? (isOther && !isReference(plan.model) ? plan.model : undefined);
  const script = plan.rehearsal === null ? undefined : resolve(settings.projectDir, plan.rehearsal);
  const rehearse = options.rehearse ?? script;
  return {
    ...(backend !== undefined && { backend }),
    ...(model !== undefined && { model }),
    ...(rehearse !== undefined && { rehearse }),
  };
}

/** Such as `${MODEL}`: the file that says so gives it again. */
function isReference(model: string): boolean {
  return model.includes("${");
}

/**
 * Throws ConfigError where an earlier invocation was to do something else than is asked for now: its results would not
 * go together. `now` is the plan as it would be made today.
 */
export function requireSame(earlier: TestPlan, now: TestPlan, id: string): void {
  if (earlier.agent.name !== now.agent.name) {
    const were = `${id} tests the agent ${earlier.agent.name} of ${earlier.agent.file}, and this is ${now.agent.name} of ${now.agent.file}.`;
    throw new ConfigError(`${were} Name that file, or another invocation.`);
  }
  const changed = changedPart(earlier, now);
  if (changed !== undefined)
    throw other(`${changed} has changed since ${id} began, so the results would not go together.`);
  const differing = differences(earlier, now).map(
    ([what, before, after]) => `${what} was ${before}, and is now ${after}`,
  );
  if (differing.length > 0) throw other(`${id} cannot go on with what is asked for: ${differing.join("; ")}.`);
  if (earlier.fingerprint === now.fingerprint) return;
  const files = "A file that the agent's file names, or the script of the rehearsal,";
  throw other(`${files} has changed since ${id} began, so the results would not go together.`);
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
  if (earlier.instructions.sha256 !== now.instructions.sha256) return "What the agent is told in its instructions";
  if (!isSame(earlier.configuration, now.configuration)) return `The agent's file ${now.agent.file}`;
  return isSame(earlier.rules, now.rules) ? undefined : "What bridle.yaml says in policy";
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

function other(reason: string): ConfigError {
  return new ConfigError(`${reason} Undo that, or begin anew without --resume.`);
}
