import type { JoinProposal } from "../../packages/context/src/scan/scan-options.ts";
import { type AcceptedLinks, guessJoins, type ScannedDataSet } from "./scanned-data-set.ts";

/** Models that follow a script, so that their proposals are known. */
const models = {
  "no model": () => [],
  "a model that knows all links": (set: ScannedDataSet) => set.trueLinks("informed"),
  "one that also guesses, a third": (set: ScannedDataSet, seed: string) => withNonsense(set, seed, 1 / 2),
  "one that also guesses, two thirds": (set: ScannedDataSet, seed: string) => withNonsense(set, seed, 2),
} as const satisfies Record<string, (set: ScannedDataSet, seed: string) => readonly JoinProposal[]>;

/** Adds random proposals between a column and a key of its type: `share` of them for each true link. */
function withNonsense(set: ScannedDataSet, seed: string, share: number): readonly JoinProposal[] {
  const links = set.trueLinks(seed);
  return [...links, ...guessJoins("a column and a key of its type", Math.round(share * links.length), seed, set)];
}

/** The links that were accepted with each of the models, over several data sets. */
export class InformedModels {
  readonly #results = new Map<string, Map<string, AcceptedLinks[]>>();

  /** Judges the proposals of every model. `kind` is the group of the data set. */
  async judge(kind: string, set: ScannedDataSet, seed: string): Promise<void> {
    for (const [model, propose] of Object.entries(models)) {
      const own = this.#results.get(kind) ?? new Map<string, AcceptedLinks[]>();
      const results = own.get(model) ?? [];
      results.push(await set.judgeAll(propose(set, seed)));
      this.#results.set(kind, own.set(model, results));
    }
  }

  print(): void {
    for (const [kind, own] of this.#results) {
      const [first] = own.values();
      console.log(`\n${kind}, ${first?.length ?? 0} data sets. Accepted joins, means over data sets:`);
      for (const [model, results] of own) console.log(`${model.padEnd(36)} ${describeMeans(results)}`);
    }
  }
}

function describeMeans(results: readonly AcceptedLinks[]): string {
  const precision = meanOf(
    results.map(({ right, wrong }) => (right + wrong === 0 ? undefined : right / (right + wrong))),
  );
  const recall = meanOf(results.map(({ right, all }) => (all === 0 ? undefined : right / all)));
  const supported = meanOf(results.map((each) => (each.all === 0 ? undefined : each.supported / each.all)));
  return `precision ${precision}  recall ${recall}  true proposals that the data support ${supported}`;
}

function meanOf(values: readonly (number | undefined)[]): string {
  const known = values.filter((value) => value !== undefined);
  return (known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length)).toFixed(3);
}
