import type { AuthoredChange, JoinProposals, JudgedJoin, OpenedContext } from "@bridle/context";
import { type AgentRuntime, type Logger, omitUndefined } from "@bridle/protocol";
import type { ProjectContext } from "../../context/project-context.ts";
import { describeDifference } from "../../files/text-edit.ts";
import { runtimeOptions } from "../../runs/runtime-options.ts";
import { chooseConnections } from "../choose-connections.ts";
import { generateWithin } from "../generate-within.ts";
import { openDataContext } from "../open-data-context.ts";
import type { DescribeChoices } from "../write-descriptions.ts";
import { type ProposedJoinsResult, proposedJoinsSchema } from "./propose-joins-schema.ts";

export interface ProposeJoinsSelection {
  /** The name of a connection. Default: all connections, one after the other. */
  readonly connection?: string | undefined;
  /** The model that proposes. Default: the model of the role `model`. */
  readonly choices: DescribeChoices;
  /** Whether to write nothing. */
  readonly dryRun?: boolean | undefined;
}

export interface ProposeJoinsEffects {
  readonly signal: AbortSignal;
  readonly logger: Logger;
  onProgress(progress: { readonly connection: string; readonly done: number; readonly total: number }): void;
  /** Whether the user agrees to the change of the files. Called if there is a change. */
  confirm(proposed: Omit<ProposedJoinsResult, "done">): Promise<boolean>;
}

/**
 * Lets the project's model propose joins, and checks each one against the data. Writes the joins that the data support to the files of
 * `context/tables`, if the user agrees.
 *
 * @throws ConfigError if the connection does not exist, or if the project has no scan or no model; the model's BridleError if all calls to
 * it fail.
 */
export async function proposeContextJoins(
  { connection, choices, dryRun = false }: ProposeJoinsSelection,
  context: ProjectContext,
  effects: ProposeJoinsEffects,
): Promise<ProposedJoinsResult> {
  await context.project.requireTrust();
  const names = chooseConnections(connection, context);
  const { logger, signal } = effects;
  const opened = await openDataContext(context, {
    isRehearsed: choices.rehearse !== undefined,
    logger,
    embedder: "none",
  });
  const runtime = await context
    .createRuntime(runtimeOptions(choices, context, { logger, unattended: true }))
    .catch(async (error: unknown) => {
      await opened.close();
      throw error;
    });
  try {
    const proposals = await askAll(names, opened, runtime, context, effects);
    const wanted = proposals.flatMap(({ joins }) => joins).flatMap(toChange);
    const changes = opened.files
      .preview(wanted)
      .map(({ file, before, after }) => ({ file, difference: describeDifference(before, after) }));
    const proposed = proposedJoinsSchema.omit({ done: true }).parse({ proposals: proposals.map(toResult), changes });
    const done = changes.length > 0 && !dryRun && (await effects.confirm(proposed));
    signal.throwIfAborted();
    if (done) for (const { change, author } of wanted) await opened.files.change(change, author);
    return { ...proposed, done };
  } finally {
    await runtime.close();
    await opened.close();
  }
}

async function askAll(
  names: readonly string[],
  opened: OpenedContext,
  runtime: AgentRuntime,
  { project }: ProjectContext,
  { signal, onProgress }: ProposeJoinsEffects,
): Promise<readonly JoinProposals[]> {
  const { tokens, queries, minutes } = project.settings.context.scan;
  const proposals: JoinProposals[] = [];
  let left = tokens;
  for (const connection of names) {
    const proposed = await opened.joins.propose({
      connection,
      generate: generateWithin(left, runtime),
      tokens: left,
      signal,
      budget: { queries, timeMs: minutes === undefined ? undefined : minutes * 60_000 },
      onProgress: (progress) => onProgress({ ...progress, connection }),
    });
    proposals.push(proposed);
    if (left !== undefined) left = Math.max(0, left - proposed.tokens);
  }
  return proposals;
}

/** Selects the joins to keep: those that the data support. Each scan checks them against the data again. */
function toChange({ outcome, reason, proposal, join }: JudgedJoin): readonly AuthoredChange[] {
  if (join === undefined) return [];
  const { from, to, model } = proposal;
  const status = outcome === "accepted" ? ("accepted" as const) : ("proposed" as const);
  const relationship = join.relationship === "unknown" ? undefined : join.relationship;
  return [
    {
      change: { kind: "join", from, to, status, ...omitUndefined({ relationship }) },
      author: { source: "model", name: model, reason: `Proposed by ${model}. ${reason}` },
    },
  ];
}

function toResult({ joins, ...proposals }: JoinProposals) {
  const results = joins.map(({ id, outcome, reason, why, proposal: { from, to, model } }) => ({
    id,
    from,
    to,
    outcome,
    reason,
    why,
    model,
  }));
  return { ...proposals, joins: results };
}
