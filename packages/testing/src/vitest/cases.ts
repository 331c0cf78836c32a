import { loadAgent } from "@bridle/agent";
import { given, optionsCheck } from "@bridle/protocol";
import { chooseCases, namedCases } from "../plan/choose-cases.ts";
import type { TrialResult } from "../result/trial-result.ts";
import { redactTrial } from "../run/redact-trial.ts";
import { runTrial } from "../run/run-trial.ts";
import type { AgentFixture, AgentFixtureOptions } from "./agent-fixture.ts";

/** The result of one trial of a case in the agent file, without credentials. */
export type CaseTrial = TrialResult;

const checkOptions = optionsCheck<Pick<AgentFixtureOptions, "variables">>("testCaseNames", {
  variables: given.object.optional(),
});

/**
 * Returns the names of the test cases in an agent file, for `test.each`.
 *
 * @example
 * test.each(await testCaseNames("agent.yaml"))("%s", async (name) => {
 *   expect(await desk.case(name)).toPass();
 * });
 */
export async function testCaseNames(
  file: string,
  options: Pick<AgentFixtureOptions, "variables"> = {},
): Promise<string[]> {
  checkOptions(options);
  const { variables = process.env } = options;
  const definition = await loadAgent(file, { environment: variables });
  return namedCases(definition).map(({ name }) => name);
}

export async function runCase({ definition, context, redactor }: AgentFixture, name: string): Promise<CaseTrial> {
  chooseCases(definition, [name]);
  const planned = context.cases.find((each) => each.name === name);
  if (planned === undefined) throw new Error(`The case "${name}" was not planned.`);
  return redactTrial(await runTrial(planned, 1, context), redactor);
}
