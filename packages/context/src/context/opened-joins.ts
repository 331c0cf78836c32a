import type { openFacts } from "../facts/open-facts.ts";
import type { TableFiles } from "../files/table-files.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import { type JoinProposals, type ProposalRequest, proposeJudgedJoins } from "../proposals/propose-judged-joins.ts";
import { judgeJoins } from "../scan/judge-joins.ts";
import type { JoinProposal } from "../scan/scan-options.ts";
import type { DataJoins } from "./context-parts.ts";
import type { OpenedConnections } from "./opened-connections.ts";
import { checkJoinProposals } from "./option-checks.ts";

interface JoinParts {
  readonly facts: ReturnType<typeof openFacts>;
  readonly files: TableFiles;
  readonly knowledge: Knowledge;
  readonly warehouses: OpenedConnections;
}

export class OpenedJoins implements DataJoins {
  readonly #parts: JoinParts;

  constructor(parts: JoinParts) {
    this.#parts = parts;
  }

  async propose(options: ProposalRequest): Promise<JoinProposals> {
    checkJoinProposals(options);
    const { facts, files, knowledge, warehouses } = this.#parts;
    return proposeJudgedJoins({
      ...options,
      knowledge,
      facts,
      decisions: files.read().joins,
      openWarehouse: () => warehouses.open(options.connection, options.signal),
      reconnect: () => warehouses.openAgain(options.connection, options.signal),
    });
  }

  async judge(connection: string, proposals: readonly JoinProposal[], signal?: AbortSignal) {
    const { facts, files, warehouses } = this.#parts;
    const warehouse = await warehouses.open(connection, signal);
    return (await judgeJoins(warehouse, facts, { proposals, decisions: files.read().joins, signal })).judged;
  }
}
