import type { RunEvent, RunResult } from "@bridle/protocol";
import type { ProjectContext } from "../context/project-context.ts";
import type { AgentRunPlan } from "../runs/agent-plan.ts";
import { performRun, type RunEffects } from "../runs/perform-run.ts";
import { chooseConnections } from "./choose-connections.ts";
import { AnswerSources, type AskedQuery } from "./collect-answer.ts";
import { openDataContext } from "./open-data-context.ts";

/** A question about the data, and the run that answers it. Its tools are those of the context. */
export interface QuestionPlan extends Omit<AgentRunPlan, "tools" | "agent" | "schema"> {
  /** The connection that may be read. Default: all. */
  readonly connection?: string | undefined;
}

export interface AnsweredQuestion {
  readonly result: RunResult;
  /** The statements that the agent ran. An answer without one is not based on the data. */
  readonly queries: readonly AskedQuery[];
}

/**
 * Lets an agent answer a question with the tools of the context. Resolves however the run ends; rejects if it could not start.
 *
 * @throws ConfigError if there is no such connection.
 */
export async function askQuestion(
  { connection, system, ...plan }: QuestionPlan,
  context: ProjectContext,
  effects: RunEffects,
): Promise<AnsweredQuestion> {
  await context.project.requireTrust();
  const connections = chooseConnections(connection, context);
  const opened = await openDataContext(context, { isRehearsed: plan.rehearse !== undefined });
  try {
    const { tools, instructions } = opened.tools({ connections });
    const sources = new AnswerSources(connections.length === 1 ? (connections[0] ?? "") : "");
    const onEvent = (event: RunEvent) => {
      sources.onEvent(event);
      effects.onEvent?.(event);
    };
    const asked = { ...plan, tools, system: system === undefined ? instructions : `${instructions}\n\n${system}` };
    const result = await performRun(asked, context, { ...effects, onEvent });
    return { result, queries: sources.queries };
  } finally {
    await opened.close();
  }
}
