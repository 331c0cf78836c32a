import type { Headline } from "../result/headline.ts";
import type { TestRun, TestRunHeadline } from "../result/test-run.ts";

/** Creates the summary for lists. The last event of an invocation stores it. */
export function makeHeadline({ summary, cases, durationMs }: TestRun): Headline {
  const { passed, failed, errored, notRun, passRate, cost } = summary;
  const outcomes = cases.map(({ name, outcome, flaky }) => ({ name, outcome, flaky }));
  return { durationMs, passed, failed, errored, notRun, passRate, cost, cases: outcomes };
}

type About = Pick<TestRun, "id" | "startedAt" | "endedAt" | "state" | "stop" | "plan">;

/** Returns the entry of an invocation in a list. */
export function toTestRunHeadline({ plan, ...about }: About, headline: Headline): TestRunHeadline {
  const { id, startedAt, endedAt, state, stop } = about;
  return {
    id,
    startedAt,
    endedAt,
    state,
    stop,
    agent: plan.agent.name,
    backend: plan.backend,
    model: plan.model,
    rehearsal: plan.rehearsal,
    trials: plan.trials,
    instructions: plan.instructions.version,
    git: plan.git,
    ...headline,
  };
}
