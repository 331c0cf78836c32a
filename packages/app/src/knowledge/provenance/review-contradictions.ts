import type { AddedDecisions, Claim } from "@bridle/ingest";
import { ConfigError, InvalidRequestError, NotFoundError, omitUndefined, suggestion } from "@bridle/protocol";
import { userName } from "../../approvals/user-name.ts";
import type { ProjectContext } from "../../context/project-context.ts";
import { withIngestState } from "./open-ingest-state.ts";
import {
  type ListedContradictions,
  listedContradictionsSchema,
  type SettledContradiction,
  settledContradictionSchema,
} from "./provenance-results.ts";

/** Lists contradictory statements without a user's decision. Rejects like `explainKnowledge`. */
export function listContradictions(context: ProjectContext): Promise<ListedContradictions> {
  return withIngestState(context, async ({ claims }) => {
    const { findContradictions, readDecisions } = await import("@bridle/ingest");
    const contradictions = findContradictions(claims.list(), readDecisions(context.project).decisions);
    return listedContradictionsSchema.parse({ contradictions });
  });
}

/** A user's decision about a contradiction. */
export interface ContradictionAnswer {
  /** The id of one of the contradiction's claims. To choose a claim as valid, that claim's id. */
  readonly id: string;
  readonly decision: "chosen" | "both";
  readonly reason?: string | undefined;
}

/**
 * Writes a user's decision to `context/decisions.yaml`, with the user's name and the date. The next run of ingest applies it.
 *
 * @throws NotFoundError if the claim is not part of an open contradiction, InvalidRequestError if users cannot decide it; ConfigError if the
 * file cannot be written.
 */
export function settleContradiction(
  { id, decision, reason }: ContradictionAnswer,
  context: ProjectContext,
): Promise<SettledContradiction> {
  return withIngestState(context, async (store) => {
    const { acceptAll, chooseClaim, decide, decisionsFile } = await import("@bridle/ingest");
    const claims = store.claims.list();
    const contradiction = await findOpen(id, claims, context);
    const by = { by: userName(), at: new Date().toISOString().slice(0, 10), reason };
    const added = decision === "chosen" ? chooseClaim(id, claims, by) : acceptAll(contradiction, by);
    const { projectDir, folder: stateDir, commitPermission: commit, environment } = context.project;
    const applied = await decide(added, { projectDir, stateDir, commit, environment });
    if (applied.failed[0] !== undefined) throw new ConfigError(applied.failed[0].reason, { field: decisionsFile });
    const { commit: committed, commitProblem } = applied;
    const written = { ...by, decision, ...statementsOf(added), file: decisionsFile, commit: committed, commitProblem };
    return settledContradictionSchema.parse(omitUndefined(written));
  });
}

async function findOpen(id: string, claims: readonly Claim[], { project }: ProjectContext) {
  const { findContradictions, readDecisions } = await import("@bridle/ingest");
  const open = findContradictions(claims, readDecisions(project).decisions);
  const found = open.find((each) => each.claims.some((claim) => claim.id === id));
  if (found === undefined) {
    const ids = open.flatMap((each) => each.claims.map((claim) => claim.id));
    const remedy = suggestion(id, ids) || ' List the open contradictions with "bridle context review list".';
    throw new NotFoundError(`Nothing contradicts a claim ${id}, or it is decided already.${remedy}`);
  }
  if (found.isDecidable) return found;
  throw new InvalidRequestError(
    `The contradiction of ${id} is not one of statements. Correct the document or the file that is wrong, and ingest again.`,
  );
}

function statementsOf({ pins = [], both = [] }: AddedDecisions): Pick<SettledContradiction, "holds" | "over"> {
  return {
    holds: [...pins.map(({ statement }) => statement), ...both.flatMap(({ statements }) => statements)],
    over: pins.flatMap(({ over = [] }) => over),
  };
}
