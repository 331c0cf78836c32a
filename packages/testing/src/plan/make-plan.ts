import { relative, sep } from "node:path";
import { type AgentDefinition, type AgentSettings, shownConfig } from "@bridle/agent";
import { modelForRole, type Redactor, sha256 } from "@bridle/core";
import type { RuntimeChoices } from "@bridle/project";
import { type TestPlan, testPlanSchema } from "../result/test-plan.ts";
import type { NamedCase } from "./choose-cases.ts";
import { contentsOf, judgeBackends } from "./contents.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { gitState } from "./git-state.ts";
import { versionsFor } from "./versions.ts";

export interface PlanParts extends Pick<TestPlan, "trials" | "parallel" | "failFast" | "allowSideEffects"> {
  readonly definition: AgentDefinition;
  readonly settings: AgentSettings;
  readonly redactor: Redactor;
  readonly cases: readonly NamedCase[];
  readonly rehearse: RuntimeChoices["rehearse"];
  /** Tools of the program, in addition to those in the files. */
  readonly contents?: Readonly<Record<string, string>> | undefined;
}

/** The name of a script that a program passed as an object. No path begins like this. */
export const scriptOfProgram = "(a script of the program)";

/** Creates the plan of an invocation, without credentials. Throws ConfigError. */
export async function makePlan({
  definition,
  settings,
  redactor,
  cases,
  rehearse,
  contents,
  ...chosen
}: PlanParts): Promise<TestPlan> {
  const { config, file, instructions, baseDir, environment } = definition;
  const { backend } = settings.provider;
  const plan: TestPlan = {
    agent: { name: config.name, file, description: config.description ?? null },
    backend,
    model: shownModel(settings),
    rehearsal: rehearse === undefined ? null : fromProject(rehearse, settings),
    cases: cases.map(({ name }) => name),
    ...chosen,
    fingerprint: await fingerprintOf(definition, settings, rehearse),
    ...contentsOf({ definition, settings, redactor, cases, contents }),
    instructions: { version: instructions.version, sha256: sha256(instructions.text) },
    git: await gitState(baseDir, environment),
    versions: await versionsFor([backend, ...judgeBackends(definition, cases)]),
    configuration: testPlanSchema.shape.configuration.parse(shownConfig(definition)),
    rules: testPlanSchema.shape.rules.parse(settings.policy ?? null),
  };
  const clean = Object.entries(plan).map(([key, value]) => [key, redactor.value(value)]); // a credential can be as short as a key
  return testPlanSchema.parse(Object.fromEntries(clean));
}

/** Returns the model as results show it: a value from the environment appears as its reference. Throws ConfigError if there is no model. */
export function shownModel({ models, written, positions }: AgentSettings): string {
  return written["llm.models.default"] ?? modelForRole(models, "default", positions["llm.models"] ?? positions.llm);
}

/**
 * Names the script in the same way on every machine. A script that is not a file has a fixed name, because result files cannot contain the
 * script.
 */
function fromProject(
  path: NonNullable<RuntimeChoices["rehearse"]>,
  { projectDir }: Pick<AgentSettings, "projectDir">,
): string {
  return typeof path !== "string" ? scriptOfProgram : relative(projectDir, path).split(sep).join("/");
}
