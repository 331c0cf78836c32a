/**
 * Finds wordings that have the same meaning and wordings that contradict each other. Models propose relations; guards decide which
 * relations count.
 */
import type { Claim } from "../claims/claim.ts";
import { whyNoConflict, whyNotSame } from "../claims/wording/compare-wordings.ts";
import { findInstructions } from "../staging/instructions/find-instructions.ts";
import { type RemoveSecrets, removedMark } from "../staging/remove-secrets.ts";
import { askInBatches, type BatchOptions, type FailedCall } from "./ask-in-batches.ts";
import { type ClaimNode, textOfNode } from "./claim-nodes.ts";
import { clusterStatements, type NodePair, type RefusedRelation } from "./cluster-statements.ts";
import { isSettleable, isSuspicious } from "./contradictions.ts";
import { findNeighbours } from "./neighbours.ts";
import { type ConflictVerdict, conflictKind, pairQuestion, type Relation, relationKind } from "./pair-questions.ts";
import { PreviousRelations } from "./previous-relations.ts";

interface NodeConflict extends NodePair {
  readonly reason: string | undefined;
  readonly isSettleable: boolean;
}

export interface RelateOptions extends BatchOptions {
  /** The claims of the previous run, whose relations remain where no model gives an answer. Default: none. */
  readonly previous?: readonly Claim[] | undefined;
  /** Finds secrets in a model's text. Default: finds only secrets that were removed before. */
  readonly removeSecrets?: RemoveSecrets | undefined;
}

/**
 * Two statements without a usable answer from a model. Known statements keep their relation from the previous run; new ones stay separate.
 */
export interface UndecidedPair {
  readonly question: "same" | "conflict";
  readonly statements: readonly [string, string];
}

export interface RelatedNodes {
  readonly clusters: readonly (readonly number[])[];
  readonly conflicts: readonly NodeConflict[];
  readonly refused: readonly RefusedRelation[];
  readonly undecided: readonly UndecidedPair[];
  readonly failed: readonly FailedCall[];
}

/** Relates the nodes. Rejects only if the signal is aborted, the answer store cannot be used, or a model is misconfigured. */
export async function relateNodes(nodes: readonly ClaimNode[], options: RelateOptions): Promise<RelatedNodes> {
  return new NodeRelations(nodes, options).run();
}

class NodeRelations {
  readonly #nodes: readonly ClaimNode[];
  readonly #options: RelateOptions;
  readonly #previous: PreviousRelations;
  readonly #refused: RefusedRelation[] = [];
  readonly #undecided: UndecidedPair[] = [];
  readonly #failed: FailedCall[] = [];

  constructor(nodes: readonly ClaimNode[], options: RelateOptions) {
    this.#nodes = nodes;
    this.#options = options;
    this.#previous = new PreviousRelations(options.previous ?? []);
  }

  async run(): Promise<RelatedNodes> {
    const pairs = findPairs(this.#nodes);
    const equal = pairs.filter((pair) => this.#areEqual(pair));
    const differing = pairs.filter((pair) => this.#differOnlyInNumbers(pair));
    const decided = new Set([...equal, ...differing]);
    const open = pairs.filter((pair) => !decided.has(pair) && this.#mayRelate(pair));
    const related = await this.#askRelations(open);
    const said = (relation: Relation) => open.filter((_, index) => related[index] === relation);
    const conflict = said("conflict");
    const { clusters, refused, suspicious } = clusterStatements(this.#nodes, [...equal, ...said("same")], conflict);
    this.#refused.push(...refused);
    const conflicts = await this.#confirm([...conflict, ...suspicious, ...differing]);
    return { clusters, conflicts, refused: this.#refused, undecided: this.#undecided, failed: this.#failed };
  }

  #areEqual(pair: NodePair): boolean {
    const { a, b } = this.#at(pair);
    return a.wording.form === b.wording.form && whyNotSame(a, b) === undefined;
  }

  #differOnlyInNumbers(pair: NodePair): boolean {
    const { a, b } = this.#at(pair);
    return whyNoConflict(a, b) === undefined && isSuspicious(a.wording, b.wording);
  }

  /** Whether any answer could count. If not, the question is skipped. */
  #mayRelate(pair: NodePair): boolean {
    const { a, b } = this.#at(pair);
    return whyNotSame(a, b) === undefined || whyNoConflict(a, b) === undefined;
  }

  async #askRelations(pairs: readonly NodePair[]): Promise<readonly (Relation | undefined)[]> {
    const questions = pairs.map((pair) => this.#question(pair));
    const { answers, failed } = await askInBatches(questions, relationKind, this.#options);
    this.#failed.push(...failed);
    this.#noteUndecided(pairs, answers, "same");
    return pairs.map((pair, index) => answers[index] ?? this.#before(pair)?.relation);
  }

  #before(pair: NodePair) {
    const { a, b } = this.#at(pair);
    return this.#previous.find(a, b);
  }

  #verdictBefore(pair: NodePair): ConflictVerdict | undefined {
    const before = this.#before(pair);
    return before?.relation === "conflict" ? { cannotBothBeTrue: true, difference: before.reason ?? "" } : undefined;
  }

  async #confirm(pairs: readonly NodePair[]): Promise<readonly NodeConflict[]> {
    const possible = pairs.filter((pair) => {
      const { a, b } = this.#at(pair);
      const guard = whyNoConflict(a, b);
      if (guard !== undefined) this.#refused.push({ relation: "conflict", guard, statements: this.#statements(pair) });
      return guard === undefined;
    });
    const questions = possible.map((pair) => this.#question(pair));
    const { answers, failed } = await askInBatches(questions, conflictKind, this.#options);
    this.#failed.push(...failed);
    this.#noteUndecided(possible, answers, "conflict");
    return possible.flatMap((pair, index) => {
      const { a, b } = this.#at(pair);
      const answer = answers[index] ?? this.#verdictBefore(pair);
      if (!answer?.cannotBothBeTrue) return [];
      return [{ ...pair, reason: this.#reasonIn(answer), isSettleable: a.slot !== undefined || isSettleable(a, b) }];
    });
  }

  /**
   * Returns the difference as the model worded it; undefined if the wording contains a secret or an instruction, which a claim must not
   * repeat.
   */
  #reasonIn({ difference }: ConflictVerdict): string | undefined {
    const { removeSecrets = (text: string) => text } = this.#options;
    const isSecret = removedMark.test(difference) || removeSecrets(difference) !== difference;
    return difference === "" || isSecret || findInstructions(difference).length > 0 ? undefined : difference;
  }

  #noteUndecided(pairs: readonly NodePair[], answers: readonly unknown[], question: UndecidedPair["question"]): void {
    for (const [index, pair] of pairs.entries())
      if (answers[index] === undefined) this.#undecided.push({ question, statements: this.#statements(pair) });
  }

  #question(pair: NodePair) {
    const { a, b } = this.#at(pair);
    return pairQuestion(describe(a), describe(b));
  }

  #statements(pair: NodePair): readonly [string, string] {
    const { a, b } = this.#at(pair);
    return [textOfNode(a), textOfNode(b)];
  }

  #at({ a, b }: NodePair): { readonly a: ClaimNode; readonly b: ClaimNode } {
    const [left, right] = [this.#nodes[a], this.#nodes[b]];
    if (left === undefined || right === undefined) throw new RangeError("A pair names two nodes.");
    return { a: left, b: right };
  }
}

function describe(node: ClaimNode) {
  const since = node.body.kind === "statement" ? node.body.since : undefined;
  const versions = node.sources.map(({ version }) => version);
  return { subject: node.body.subject, statement: textOfNode(node), since, versions };
}

/** The maximum number of texts for one table or column that are compared with each other. */
const maxTexts = 8;

/** Finds statements with similar words, and descriptions of the same table or column. */
function findPairs(nodes: readonly ClaimNode[]): readonly NodePair[] {
  const places = nodes.map((node, place) => ({ node, place }));
  const statements = places.filter(({ node }) => node.slot === undefined);
  const similar = findNeighbours(statements.map(({ node }) => node.wording));
  const slots = Map.groupBy(
    places.filter(({ node }) => node.slot !== undefined),
    ({ node }) => node.slot,
  );
  const described = [...slots.values()].flatMap((group) => {
    const some = group.slice(0, maxTexts).map(({ place }) => place);
    return some.flatMap((a, index) => some.slice(index + 1).map((b) => ({ a, b })));
  });
  const placeOf = (index: number) => statements[index]?.place ?? index;
  return [...similar.map(({ a, b }) => ({ a: placeOf(a), b: placeOf(b) })), ...described];
}
