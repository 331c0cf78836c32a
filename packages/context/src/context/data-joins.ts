import type { openFacts } from "../facts/open-facts.ts";
import type { TableFiles } from "../files/table-files.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import { type JoinProposals, type ProposalRequest, proposeJudgedJoins } from "../proposals/propose-judged-joins.ts";
import { judgeJoins } from "../scan/judge-joins.ts";
import type { JoinProposal } from "../scan/scan-options.ts";
import type { OpenedConnections } from "./opened-connections.ts";
import { checkJoinProposals } from "./option-checks.ts";

interface JoinParts {
  readonly facts: ReturnType<typeof openFacts>;
  readonly files: TableFiles;
  readonly knowledge: Knowledge;
  readonly warehouses: OpenedConnections;
}

/** Proposes and checks joins that a scan does not find by itself. */
export class DataJoins {
  readonly #parts: JoinParts;

  /** Use `joins` of an opened context instead. */
  constructor(parts: JoinParts) {
    this.#parts = parts;
  }

  /** Lets a model propose joins, and checks each with the data. Changes no fact and no file. Rejects like `proposeJudgedJoins`. */
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

  /** Checks joins between scanned tables with the data. Changes no fact. Rejects with a BridleError of the warehouse. */
  async judge(connection: string, proposals: readonly JoinProposal[], signal?: AbortSignal) {
    const { facts, files, warehouses } = this.#parts;
    const warehouse = await warehouses.open(connection, signal);
    return (await judgeJoins(warehouse, facts, { proposals, decisions: files.read().joins, signal })).judged;
  }
}
