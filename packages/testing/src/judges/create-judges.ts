/** Creates the models that judge. Every judge is a model of a runtime, like the agent's own model. */
import type { AgentDefinition, AgentSettings, ModelConfig, OpenAgent } from "@bridle/agent";
import { canonicalJson, type Judge } from "@bridle/protocol";
import type { Judgement } from "../result/trial-result.ts";
import { askJudge } from "./ask-judge.ts";
import type { JudgeExpenses } from "./expenses.ts";
import { explainJudging } from "./judge-failure.ts";
import { agentHost, type JudgeHost, type JudgeOptions, modelHost } from "./judge-host.ts";
import { createJudgementAccount } from "./judgement-account.ts";
import { warningsOfJudges } from "./self-judging.ts";

export interface JudgesParts {
  readonly definition: AgentDefinition;
  /** The agent. The model in its role `judge` is called if the file names no judge. */
  readonly agent: Pick<OpenAgent, "runtime">;
  readonly settings: Pick<AgentSettings, "models">;
  /** Options for the runtimes of other judges. `onEvent` and `expenses` receive their events. */
  readonly options: JudgeOptions;
  /** Collects expenses. The caller also passes the events of the agent's own runtime to it. */
  readonly expenses: JudgeExpenses;
  /** The labels of every run of a judge, such as `{ test: "20261122-071501-k3f9" }`. */
  labels(): Readonly<Record<string, string>>;
}

/** One use of a metric. */
interface JudgedCall {
  /** The metric's own model, if it has one. */
  readonly model: ModelConfig | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface Judges {
  /** Warnings if a model judges its own answers and no setting chose it as the judge. */
  readonly warnings: readonly string[];
  /**
   * Runs a metric with its judge: the metric's own model, or else that of `evaluations`, or else the role `judge`. Rejects like a
   * PlannedMetric.
   */
  judge<T>(
    call: JudgedCall,
    use: (judge: Judge) => Promise<T>,
  ): Promise<{ given: T; judgement: Judgement | undefined }>;
  /** Closes the runtimes that were opened for judges, but not the agent's. */
  close(): Promise<void>;
}

/** Creates the judges. Opens no runtime before a judge is called. */
export function createJudges(parts: JudgesParts): Judges {
  const { definition, agent, settings, options, expenses, labels } = parts;
  const ofAgent = agentHost(agent.runtime);
  const hosts = new Map<string, JudgeHost>();
  const observed: JudgeOptions = {
    ...options,
    onEvent(event) {
      expenses.observe(event);
      options.onEvent?.(event);
    },
  };

  function hostFor(model = definition.config.evaluations?.model): JudgeHost {
    if (model === undefined) return ofAgent;
    const key = canonicalJson(model);
    const host = hosts.get(key) ?? modelHost(definition, model, observed);
    hosts.set(key, host);
    return host;
  }

  return {
    warnings: options.rehearse === undefined ? warningsOfJudges(definition, settings) : [],
    async judge(call, use) {
      const host = hostFor(call.model);
      const account = createJudgementAccount();
      const asked = { host, account, expenses, signal: call.signal, labels: { ...labels(), ...call.labels } };
      try {
        const given = await use(askJudge(asked));
        return { given, judgement: account.sum() };
      } catch (error) {
        throw explainJudging(error, {
          judgement: account.sum(),
          isAbsent: host.isOwn && !host.hasAnswered,
          isCalledOff: call.signal.aborted,
        });
      }
    },
    async close() {
      await Promise.all([...hosts.values()].map((host) => host.close()));
    },
  };
}
