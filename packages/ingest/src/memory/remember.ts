/** Stores a fact from a user, after the same gates as all other candidates. */
import { sha256 } from "@bridle/core";
import { InvalidRequestError, omitUndefined } from "@bridle/protocol";
import { checkCandidate } from "../claims/gates/check-candidate.ts";
import { OpenedItem } from "../claims/gates/cited-item.ts";
import type { GateServices } from "../claims/gates/gate.ts";
import { normalForm } from "../claims/wording/read-wording.ts";
import type { IngestModels } from "../models/ingest-models.ts";
import type { StatementBody } from "../sources/candidate.ts";
import type { StagedItem } from "../sources/source.ts";
import { findInstructions } from "../staging/instructions/find-instructions.ts";
import { addFact, confirmFacts, type MemoryFact, type RememberedStatement } from "./memory-file.ts";
import { askForStatements, statementWithoutModel } from "./memory-prompt.ts";
import { memorySourceName } from "./memory-source.ts";
import type { ScopedMemory } from "./scoped-memory.ts";

export interface RememberOptions {
  readonly memory: ScopedMemory;
  readonly gates: GateServices;
  /** The models that find the facts in the text. If missing, the whole text is one statement. */
  readonly models?: IngestModels | undefined;
  readonly by?: string | undefined;
  readonly session?: string | undefined;
  /** The first day of validity, such as 2026-03-01. */
  readonly since?: string | undefined;
  /**
   * Whether a model proposed the text, or it was found in a conversation. If so, hearsay and facts about a single day are refused, and the
   * facts rank no higher than a document until a user repeats them.
   */
  readonly isCaptured?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly now?: (() => Date) | undefined;
}

/** The result of remembering a text. */
export type Remembered =
  | {
      readonly kind: "remembered";
      readonly fact: MemoryFact;
      readonly file: string;
      readonly refused: readonly string[];
    }
  /** All facts were remembered before. */
  | { readonly kind: "known"; readonly ids: readonly string[] }
  /** Nothing was stored. Each reason is one sentence with the remedy. */
  | { readonly kind: "refused"; readonly reasons: readonly string[] };

const maxChars = 4000;

/**
 * Remembers a text. Stores only statements that pass the gates: no secrets, no hearsay, no facts about a single day, no instructions.
 *
 * @throws InvalidRequestError if the text is empty or too long; ConfigError if the file is wrong or cannot be written; the model's
 * BridleError.
 */
export async function remember(text: string, options: RememberOptions): Promise<Remembered> {
  const said = text.replaceAll(/\s+/g, " ").trim();
  if (said === "") throw new InvalidRequestError("There is nothing to remember. Pass a sentence.");
  if (said.length > maxChars)
    throw new InvalidRequestError(`Pass at most ${maxChars} characters; put longer texts into a document.`);
  return new Remembering(said, options).run();
}

class Remembering {
  readonly #text: string;
  readonly #options: RememberOptions;
  readonly #refused: string[] = [];

  constructor(text: string, options: RememberOptions) {
    this.#text = text;
    this.#options = options;
  }

  async run(): Promise<Remembered> {
    const { memory, gates, by, session, isCaptured, now } = this.#options;
    if (gates.removeSecrets(this.#text) !== this.#text) {
      return refuse(
        "The text contains a credential or something about a person, such as a phone number. Leave it out.",
      );
    }
    const at = (now?.() ?? new Date()).toISOString();
    const statements = await this.#check(await this.#propose(), at);
    const known = findKnown(memory.facts(), statements);
    if (statements.length === 0) return { kind: "refused", reasons: this.#refused };
    if (known !== undefined) return this.#confirm(known);
    const id = sha256(JSON.stringify([normalForm(this.#text), at])).slice(0, 8);
    const fact: MemoryFact = {
      ...omitUndefined({ id, text: this.#text, by, at, session }),
      ...(isCaptured && { captured: true }),
      statements: [...statements],
    };
    await memory.change((content) => addFact(content, memory.file, fact), id, "remembered");
    return { kind: "remembered", fact, file: memory.file, refused: this.#refused };
  }

  /** Confirms facts that the user repeats, even if a model proposed them before. */
  async #confirm(ids: readonly string[]): Promise<Remembered> {
    const { memory, by, isCaptured } = this.#options;
    const wanted = new Set(ids);
    if (!isCaptured && memory.facts().some(({ id, captured }) => captured && wanted.has(id)))
      await memory.change((content) => confirmFacts(content, memory.file, wanted, by), ids.join(", "), "confirmed");
    return { kind: "known", ids };
  }

  async #propose(): Promise<readonly RememberedStatement[]> {
    const { models, signal = new AbortController().signal } = this.#options;
    if (models === undefined || findInstructions(this.#text).length > 0) return [statementWithoutModel(this.#text)];
    const proposed = await askForStatements(this.#text, models, signal);
    return proposed.length > 0 ? proposed : [statementWithoutModel(this.#text)];
  }

  async #check(proposed: readonly RememberedStatement[], at: string): Promise<readonly RememberedStatement[]> {
    const accepted: RememberedStatement[] = [];
    for (const each of proposed) {
      const checked = await this.#checkOne(each, at);
      if (checked === undefined) continue;
      const { since = this.#options.since } = checked;
      if (!accepted.some(({ statement }) => normalForm(statement) === normalForm(checked.statement)))
        accepted.push(omitUndefined({ ...checked, since }));
    }
    return accepted;
  }

  /** Checks a statement. If a model's wording would need confirmation by another model, uses the user's own words instead. */
  async #checkOne(proposed: RememberedStatement, at: string): Promise<RememberedStatement | undefined> {
    const { gates, signal = new AbortController().signal } = this.#options;
    const { quote = this.#text, tables = [], ...statement } = proposed;
    const body: StatementBody = { kind: "statement", tables, ...statement };
    const evidence = { source: memorySourceName, item: "new", quote };
    const item = toStaged(this.#text, at);
    const opened = new OpenedItem(item, this.#text, findInstructions(this.#text));
    const origin = this.#options.isCaptured ? "extraction" : "person";
    const result = await checkCandidate({ body, evidence, origin }, opened, { services: gates, signal });
    const isOther = result.kind === "refused" ? result.refusal.gate === "not_in_source" : result.needsProof;
    if (isOther && quote !== proposed.statement) return this.#checkOne({ ...proposed, statement: quote }, at);
    if (result.kind === "accepted" && !isOther) {
      const { body: checked } = result.checked;
      return checked.kind === "statement" ? { ...proposed, tables: checked.tables } : undefined;
    }
    if (result.kind === "refused") this.#refused.push(result.refusal.reason);
    return undefined;
  }
}

function refuse(reason: string): Remembered {
  return { kind: "refused", reasons: [reason] };
}

/** Returns the ids of the facts that cover all statements; undefined if any statement is new. */
function findKnown(
  facts: readonly MemoryFact[],
  statements: readonly RememberedStatement[],
): readonly string[] | undefined {
  const ids = statements.map(({ statement }) => {
    return facts.find((fact) => fact.statements.some((each) => normalForm(each.statement) === normalForm(statement)))
      ?.id;
  });
  return ids.every((id) => id !== undefined) ? [...new Set(ids)] : undefined;
}

function toStaged(text: string, updatedAt: string): StagedItem {
  return {
    source: memorySourceName,
    id: "new",
    title: "A person",
    kind: "memory",
    authority: "person",
    updatedAt,
    version: sha256(text),
    chars: text.length,
  };
}
