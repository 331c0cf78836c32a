import type { OpenedContext } from "@bridle/context";
import type { RunEvent, RunResult } from "@bridle/protocol";
import type { ProjectContext } from "../context/project-context.ts";
import type { AgentRunPlan } from "../runs/agent-plan.ts";
import { performRun, type RunEffects } from "../runs/perform-run.ts";
import { chooseConnections } from "./choose-connections.ts";
import { AnswerSources, type AskedQuery, isSource, type PageOfAnswer, type UsedDefinition } from "./collect-answer.ts";
import { openDataContext } from "./open-data-context.ts";

/** A question about the data, and the settings of the run that answers it. The run's tools are those of the context. */
export interface QuestionPlan extends Omit<AgentRunPlan, "tools" | "agent" | "schema"> {
  /** The connection that may be read. Default: all connections. */
  readonly connection?: string | undefined;
}

export interface AnsweredQuestion {
  readonly result: RunResult;
  /** The statements that the agent ran. */
  readonly queries: readonly AskedQuery[];
  /** Whether a statement read a table. If not, the answer is not based on the data. */
  readonly isBasedOnData: boolean;
  /** The definitions of the tables that were read, if known. */
  readonly definitions: readonly UsedDefinition[];
  /** The pages that the agent read, with the documents that they are based on. */
  readonly pages: readonly PageOfAnswer[];
}

/**
 * Lets an agent answer a question with the tools of the context. Resolves however the run ends. Rejects if the run cannot start.
 *
 * @throws ConfigError if the connection does not exist.
 */
export async function askQuestion(
  { connection, system, ...plan }: QuestionPlan,
  context: ProjectContext,
  effects: RunEffects,
): Promise<AnsweredQuestion> {
  await context.project.requireTrust();
  const connections = chooseConnections(connection, context);
  const opened = await openDataContext(context, {
    isRehearsed: plan.rehearse !== undefined,
    logger: effects.logger,
  });
  try {
    for (const warning of unknownConnections(opened, connections)) effects.onWarning(warning);
    const { tools, instructions: ofContext } = opened.tools({ connections });
    const instructions = [ofContext, await rememberedForUser(context)].filter(Boolean).join("\n\n");
    const sources = new AnswerSources(connections.length === 1 ? (connections[0] ?? "") : "");
    const onEvent = (event: RunEvent) => {
      sources.onEvent(event);
      effects.onEvent?.(event);
    };
    const asked = { ...plan, tools, system: system === undefined ? instructions : `${instructions}\n\n${system}` };
    const result = await performRun(asked, context, { ...effects, onEvent });
    const { queries, pages } = sources;
    const definitions = definitionsOf(queries, opened);
    return { result, queries, isBasedOnData: queries.some(isSource), definitions, pages };
  } finally {
    await opened.close();
  }
}

/** Returns the facts that this user stored for all projects. */
async function rememberedForUser({ project }: ProjectContext): Promise<string> {
  const { userMemoryInstructions } = await import("@bridle/data");
  return userMemoryInstructions(project);
}

/** Returns a warning for each connection without known tables. */
function unknownConnections({ knowledge }: OpenedContext, connections: readonly string[]): readonly string[] {
  const scanned = new Map(knowledge.connections().map((facts) => [facts.name, facts]));
  return connections.flatMap((name) => {
    const facts = scanned.get(name);
    if (facts !== undefined && facts.tables > 0) return [];
    const unscanned = `The connection ${name} has not been scanned, so the agent knows nothing about it. Run "bridle context scan".`;
    return [facts?.scannedAt === undefined ? unscanned : `The scan of the connection ${name} found no tables.`];
  });
}

function definitionsOf(queries: readonly AskedQuery[], opened: OpenedContext): readonly UsedDefinition[] {
  const tables = new Set(queries.filter(isSource).flatMap((query) => query.tables ?? []));
  return [...tables].flatMap((table) => {
    const description = opened.describe(table)?.table.description;
    return description === undefined ? [] : [{ table, text: description.text, source: description.source }];
  });
}
