/** An invocation without the texts and calls of its trials: for lists of thousands of trials. */
import { z } from "zod";
import { testPlanSchema } from "./test-plan.ts";
import { caseResultSchema, type TestRun, testRunSchema } from "./test-run.ts";
import { type TrialResult, trialResultSchema } from "./trial-result.ts";

const trialOverviewSchema = trialResultSchema.pick({ trial: true, outcome: true, durationMs: true });

const caseOverviewSchema = caseResultSchema
  .pick({ name: true, outcome: true, flaky: true })
  .extend({ trials: z.array(trialOverviewSchema).describe("In the order of their numbers.") });

export const testRunOverviewSchema = testRunSchema.extend({
  plan: testPlanSchema.omit({ contents: true, caseContents: true }),
  cases: z.array(caseOverviewSchema),
});

export type TestRunOverview = z.output<typeof testRunOverviewSchema>;
type TrialOverview = z.output<typeof trialOverviewSchema>;

export function toOverview({ plan, cases, ...run }: TestRun): TestRunOverview {
  const { contents: _contents, caseContents: _caseContents, ...planned } = plan;
  return {
    ...run,
    plan: planned,
    cases: cases.map(({ name, outcome, flaky, trials }) => ({
      name,
      outcome,
      flaky,
      trials: trials.map(toTrialOverview),
    })),
  };
}

export function toTrialOverview({ trial, outcome, durationMs }: TrialResult): TrialOverview {
  return { trial, outcome, durationMs };
}
