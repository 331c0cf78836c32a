/** Creates an agent file with judges that answer from a script, and collects the results of its metrics. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadAgent, type OpenAgentOptions, openAgent, openAgentProject } from "@bridle/agent";
import { createRedactor } from "@bridle/core";
import { type RunEvent, silentLogger, TrustedFolder } from "@bridle/protocol";
import { onTestFinished } from "vitest";
import { createJudges } from "../src/judges/create-judges.ts";
import { createJudgeExpenses } from "../src/judges/expenses.ts";
import { MetricPlanner } from "../src/metrics/metric-planner.ts";
import type { PlannedMetric } from "../src/result/planned-metric.ts";
import type { TurnFacts } from "../src/result/turn-facts.ts";

export interface JudgeProject {
  /** The YAML below `name` and `instructions`. */
  readonly yaml: string;
  /** The script below `rehearsal: 1`. Without a script, the hosts are real, and no request may reach them. */
  readonly script?: string;
  readonly project?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly options?: Pick<OpenAgentOptions, "backend" | "model" | "createRuntime">;
}

export const turn: TurnFacts = {
  caseName: "returns",
  turn: 1,
  input: "How long?",
  answer: "30 days.",
  retrievalContext: ["Returns are accepted within 30 days."],
  groundTruth: "Within 30 days.",
  calls: [],
  transcript: [],
  config: {},
  steps: 1,
  durationMs: 5,
};

export async function openJudges({ yaml, script, project = "", environment = {}, options = {} }: JudgeProject) {
  const folder = await mkdtemp(join(tmpdir(), "bridle-judges-"));
  const agentYaml = `name: desk\ninstructions: { inline: Be kind. }\n${yaml}`;
  await writeFile(join(folder, "agent.yaml"), agentYaml);
  await writeFile(join(folder, "bridle.yaml"), project);
  const rehearse = join(folder, "script.yaml");
  if (script !== undefined) await writeFile(rehearse, `rehearsal: 1\n${script}`);
  const surroundings = { PATH: process.env.PATH, HOME: folder, TMPDIR: tmpdir(), ...environment };
  const definition = await loadAgent("agent.yaml", { cwd: folder, environment: surroundings });
  const events: RunEvent[] = [];
  const expenses = createJudgeExpenses();
  const common = { projectDir: folder, logger: silentLogger, ...(script !== undefined && { rehearse }) };
  const onEvent = (event: RunEvent) => {
    expenses.observe(event);
    events.push(event);
  };
  const agent = await openAgent(definition, { ...common, ...options, onEvent });
  const shared = { ...common, ...options, onEvent: (event: RunEvent) => void events.push(event) };
  const judges = createJudges({
    definition,
    agent,
    expenses,
    labels: () => ({ test: "20261122-1" }),
    settings: (await openAgentProject(definition, { projectDir: folder })).settings,
    options: shared,
  });
  onTestFinished(async () => {
    await judges.close();
    await agent.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const planner = new MetricPlanner({
    trusted: await TrustedFolder.require(undefined, []),
    folder,
    judges,
    redactor: createRedactor(),
  });
  const starts = () => events.flatMap((event) => (event.type === "run.started" ? [event] : []));
  return { judges, events, starts, planned: planner.plan(definition.config.evaluations?.metrics ?? []) };
}

export function score(
  metric: PlannedMetric | undefined,
  facts: TurnFacts = turn,
  signal = new AbortController().signal,
) {
  if (metric === undefined) throw new Error("There is no such metric.");
  return metric.score(facts, signal);
}

export const host = "model: { provider: anthropic, name: claude-sonnet-5, api_key: k }\n";
export const judge = "model: { provider: openai, name: gpt-6-sol, api_key: k }, ";
export const polite = "{ type: geval, name: polite, criteria: It is polite., evaluation_steps: [Read it.] }";
const levels = "levels: [{ score: 0.2, description: Short. }, { score: 0.9, description: Whole. }]";
export const whole = `{ type: rubric, name: whole, threshold: 0.8, ${levels} }`;
/** Returns the metric polite, with a separate judge. */
export const withOwn = (model: string) => polite.replace(/ \}$/, `, model: ${model} }`);
export const faithful = "{ type: rag, metric_type: faithfulness }";

/** Creates a judge that gives these judgements one after the other. */
export const given = (...objects: string[]) =>
  `turns:\n  - steps:\n${objects.map((each) => `      - { object: ${each}, usage: { input: 50, output: 5 } }\n`).join("")}`;
export const seven = given("{ reason: Kind enough., score: 7 }");
const verdict = "{ verdicts: [{ number: 1, reason: It says so., holds: true }] }";
export const claimsAndVerdicts = `turns:
  - { when: { user: List every claim }, steps: [{ object: { statements: [Thirty days.] }, usage: { input: 100, output: 10 } }] }
  - { when: { user: Give one verdict }, steps: [{ object: ${verdict}, usage: { input: 200, output: 20 } }] }
`;
