import type { JoinEnd, TableFacts } from "../../packages/context/src/facts/facts.ts";
import { type FactsDatabase, openFacts } from "../../packages/context/src/facts/open-facts.ts";
import { parseTableId } from "../../packages/context/src/facts/parse-identifier.ts";
import { judgeJoins } from "../../packages/context/src/scan/judge-joins.ts";
import { scan } from "../../packages/context/src/scan/scan.ts";
import type { JoinProposal } from "../../packages/context/src/scan/scan-options.ts";
import { connectors, openWarehouse, type Warehouse } from "../../packages/warehouse/src/index.ts";
import { type Gold, type GoldLink, linkId } from "../joins/gold.ts";
import { Random } from "../scan/random.ts";

/** How joins are guessed: any two columns, or two columns of the same type if the second identifies its rows. */
export const guessKinds = ["any two columns", "a column and a key of its type"] as const;
export type Guess = (typeof guessKinds)[number];

/** Counts of accepted links, and of links that are known to be true. */
export interface AcceptedLinks {
  readonly right: number;
  readonly wrong: number;
  readonly all: number;
  /** The number of true proposals that the data do not refute. */
  readonly supported: number;
}

interface Column {
  readonly end: JoinEnd;
  readonly type: string;
  readonly isKey: boolean;
}

/** A data set after a scan. */
export class ScannedDataSet {
  readonly columns: readonly Column[];
  readonly #warehouse: Warehouse;
  readonly #facts: FactsDatabase;
  readonly #gold: Gold;

  private constructor(warehouse: Warehouse, facts: FactsDatabase, gold: Gold) {
    this.#warehouse = warehouse;
    this.#facts = facts;
    this.#gold = gold;
    this.columns = [...facts.reader.tables()].flatMap(columnsOf);
  }

  static async open(file: string, factsFile: string, gold: Gold): Promise<ScannedDataSet> {
    const connector = connectors.find(({ type }) => type === "sqlite");
    if (connector === undefined) throw new Error("There is no connector for SQLite.");
    const config = connector.schema.parse({ type: "sqlite", file });
    const warehouse = await openWarehouse({ name: "w", connector, config, context: { projectDir: "/" } });
    const facts = openFacts({ file: factsFile });
    await scan(warehouse, facts);
    return new ScannedDataSet(warehouse, facts, gold);
  }

  /** Returns the true links as a model would propose them. */
  trueLinks(model: string): readonly JoinProposal[] {
    const ids = new Map([...this.#facts.reader.tables()].map(({ id, table }) => [table.toLowerCase(), id]));
    const columns = new Map(this.columns.map(({ end }) => [nameOf(end).toLowerCase(), end]));
    const end = ({ table, columns: names }: GoldLink["from"]): JoinEnd => ({
      table: ids.get(table.toLowerCase()) ?? table,
      columns: names.map((name) => columns.get(`${table}.${name}`.toLowerCase())?.columns[0] ?? name),
    });
    return this.#gold.foreignKeys.map(({ from, to }) => ({ from: end(from), to: end(to), model }));
  }

  /** Counts the accepted links after the proposals were checked against the data, and the true proposals that the data support. */
  async judgeAll(proposals: readonly JoinProposal[]): Promise<AcceptedLinks> {
    const { judged } = await judgeJoins(this.#warehouse, this.#facts, { proposals });
    const accepted = judged.filter(({ outcome }) => outcome === "accepted").map(({ proposal }) => proposal);
    const found = this.#facts.reader.joins().filter(({ status, condition }) => status === "accepted" && !condition);
    const ids = new Set([...found, ...accepted].map((link) => idOf(link)));
    const right = [...ids].filter((id) => this.#gold.links.has(id)).length;
    const wrong = [...ids].filter((id) => !this.#gold.links.has(id) && !this.#gold.neutral.has(id)).length;
    const supported = judged.filter(({ proposal, outcome }) => outcome !== "refuted" && this.#isRight(proposal));
    return { right, wrong, all: this.#gold.links.size, supported: supported.length };
  }

  /** Returns the outcomes of the wrong proposals. Proposals whose truth is not known do not count. */
  async judge(proposals: readonly JoinProposal[]): Promise<readonly string[]> {
    const { judged } = await judgeJoins(this.#warehouse, this.#facts, { proposals });
    return judged.filter(({ proposal }) => !this.#isRight(proposal)).map(({ outcome }) => outcome);
  }

  async close(): Promise<void> {
    await this.#warehouse.close();
    this.#facts.close();
  }

  #isRight({ from, to }: JoinProposal): boolean {
    const ids = [idOf({ from, to }), idOf({ from: to, to: from })];
    return ids.some((id) => this.#gold.links.has(id) || this.#gold.neutral.has(id));
  }
}

function idOf({ from, to }: Pick<JoinProposal, "from" | "to">): string {
  const name = ({ table, columns }: JoinEnd) => ({ table: tableOf(table), columns });
  return linkId({ from: name(from), to: name(to) });
}

function tableOf(id: string): string {
  return parseTableId(id)?.table ?? id;
}

function nameOf({ table, columns }: JoinEnd): string {
  return `${tableOf(table)}.${columns[0]}`;
}

function columnsOf({ id, columns, key }: TableFacts): readonly Column[] {
  return columns.map(({ name, type, profile }) => ({
    end: { table: id, columns: [name] },
    type,
    isKey:
      key?.columns.join() === name || (profile !== undefined && profile.rows > 1 && profile.distinct === profile.rows),
  }));
}

/** Returns the proposals of a model that guesses. The same seed gives the same proposals. */
export function guessJoins(
  kind: Guess,
  size: number,
  seed: string,
  { columns }: ScannedDataSet,
): readonly JoinProposal[] {
  const random = new Random(numberOf(seed));
  const pick = (list: readonly Column[]) => list[Math.floor(random.next() * list.length)];
  const keys = columns.filter(({ isKey }) => isKey);
  const proposals: JoinProposal[] = [];
  for (let tries = 0; tries < 50 * size && proposals.length < size; tries++) {
    const [child, parent] = [pick(columns), pick(kind === "any two columns" ? columns : keys)];
    if (child === undefined || parent === undefined || child === parent) continue;
    if (kind !== "any two columns" && child.type !== parent.type) continue;
    proposals.push({ from: child.end, to: parent.end, model: seed });
  }
  return proposals;
}

function numberOf(seed: string): number {
  let number = 2166136261;
  for (const character of seed) number = Math.imul(number ^ character.charCodeAt(0), 16777619) >>> 0;
  return number;
}
