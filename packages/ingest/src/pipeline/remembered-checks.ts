import type { GateServices, ModelPartBody } from "../gates/gate.ts";
import { answerKey } from "../models/answer-key.ts";
import type { IngestStore } from "../store/ingest-store.ts";
import type { IngestKnowledge } from "./ingest-options.ts";

type DataChecks = Pick<GateServices, "checkModelPart" | "checkJoin">;

/**
 * Asks the warehouse about a join or a part of a model only once, as long as nothing has changed. So an unchanged ingest asks nothing,
 * and one without a warehouse keeps what was checked before.
 */
export function rememberChecks(
  { checkModelPart, checkJoin, version }: IngestKnowledge,
  store: IngestStore,
): DataChecks {
  const current = version?.();
  const remember = async (asked: unknown, check: () => Promise<string | undefined>) => {
    if (current === undefined) return check();
    const key = answerKey("check", current, asked);
    const known = store.readCheck(key);
    if (known !== undefined) return known === "" ? undefined : known;
    const problem = await check();
    if (problem === undefined || !problem.startsWith(unasked)) store.writeCheck(key, problem ?? "");
    return problem;
  };
  return {
    ...(checkModelPart && {
      checkModelPart: (part, siblings, signal) => {
        const own = siblings.filter(({ model }: ModelPartBody) => model === part.model);
        return remember([part, own], () => checkModelPart(part, own, signal));
      },
    }),
    ...(checkJoin && { checkJoin: (join, signal) => remember(join, () => checkJoin(join, signal)) }),
  };
}

/** How the reason begins if the warehouse gave no answer. It is asked again. */
export const unasked = "The data cannot be asked about it";
