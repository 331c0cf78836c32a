/** Reads items with their passages and triage decisions. */
import { OpenedItem } from "../claims/gates/cited-item.ts";
import { passagesOf, type TextPassage } from "../claims/triage/passages.ts";
import {
  type TriageAnswer,
  type TriageQuestion,
  triageAnswer,
  triageQuestion,
} from "../claims/triage/triage-prompt.ts";
import { type UnitItem, unitItem } from "../claims/units/work-unit.ts";
import type { AnswerStore } from "../models/answers.ts";
import type { AskedAbout } from "../models/ask-questions.ts";
import type { IngestModels } from "../models/ingest-models.ts";
import type { InstructionMark } from "../sources/instruction-mark.ts";
import type { IngestStore } from "../store/ingest-store.ts";
import type { StoredItem } from "../store/item-table.ts";
import { readVersionText } from "./stage-item.ts";

/** An item with its text. */
export interface ReadItem {
  readonly stored: StoredItem;
  readonly opened: OpenedItem;
  readonly text: string;
  /** The passages; empty if a parser reads the whole item. */
  readonly passages: readonly TextPassage[];
}

/** An item after triage. */
export interface SortedItem {
  /** The item with the marks that triage added. */
  readonly opened: OpenedItem;
  readonly light: readonly TextPassage[];
  /** The passages that an agent reads closely; undefined if there are none. */
  readonly unit: UnitItem | undefined;
  /** Whether triage has not decided about every passage. */
  readonly isUndecided: boolean;
}

export interface ItemReaderOptions {
  readonly store: IngestStore;
  readonly answers: AnswerStore;
  readonly models: Pick<IngestModels, "modelOf">;
}

export class ItemReader {
  readonly #options: ItemReaderOptions;
  readonly #types = new Map<string, string>();
  /** Failed triage questions, whose passages are read closely. */
  readonly failedTriage = new Set<string>();

  constructor(options: ItemReaderOptions) {
    this.#options = options;
  }

  /** Reads an item; undefined if its text is missing or damaged. */
  read(stored: StoredItem): ReadItem | undefined {
    const found = readVersionText(stored.item.version, this.#options.store);
    if (found === undefined) return undefined;
    const { text, marks } = found;
    const passages = stored.item.isStructured ? [] : passagesOf(stored.item, text, marks);
    return { stored, opened: new OpenedItem(stored.item, text, marks), text, passages };
  }

  /** Returns the triage questions about an item; empty if an agent has already read the whole item. */
  triageQuestions(read: ReadItem): readonly TriageQuestion[] {
    const questions = this.#questions(read);
    const isUnknown = questions.some(({ key }) => this.#options.answers.read(key) === undefined);
    return isUnknown && this.#wasReadClosely(read) ? [] : questions;
  }

  sort(read: ReadItem): SortedItem {
    const questions = this.#questions(read);
    const decided = questions.map(({ key }) => this.#decision(key));
    const wasReadClosely = decided.includes(undefined) && this.#wasReadClosely(read);
    const found = decided.flatMap((decision) => decision?.instructions ?? []).flatMap((quote) => locate(read, quote));
    const opened = found.length === 0 ? read.opened : this.#withMarks(read, found);
    const passages = found.length === 0 ? read.passages : passagesOf(read.stored.item, read.text, opened.marks);
    const decisionOf = ({ start }: TextPassage) => {
      const index = read.passages.findIndex((passage) => passage.start === start);
      const isFailed = this.failedTriage.has(questions[index]?.key ?? "");
      return decided[index]?.decision ?? (wasReadClosely || isFailed ? "full" : undefined);
    };
    const full = passages.filter((passage) => decisionOf(passage) === "full");
    return {
      opened,
      light: passages.filter((passage) => decisionOf(passage) === "light"),
      unit: full.length === 0 ? undefined : this.#unitOf(opened, full),
      isUndecided: passages.some((passage) => decisionOf(passage) === undefined),
    };
  }

  #questions({ stored: { item }, passages }: ReadItem): readonly TriageQuestion[] {
    const model = this.#options.models.modelOf("triage");
    return passages.map((passage) => triageQuestion(passage, model, aboutItem(item)));
  }

  #decision(key: string): TriageAnswer | undefined {
    const answer = triageAnswer.safeParse(this.#options.answers.read(key));
    return answer.success ? answer.data : undefined;
  }

  #wasReadClosely({ opened, passages }: ReadItem): boolean {
    return passages.length > 0 && this.#options.answers.read(this.#unitOf(opened, passages).key) !== undefined;
  }

  #unitOf(opened: OpenedItem, passages: readonly TextPassage[]): UnitItem {
    const sourceType = this.#typeOf(opened.item.source);
    return unitItem(opened, passages, { sourceType, model: this.#options.models.modelOf("default") });
  }

  #typeOf(source: string): string {
    const type = this.#types.get(source) ?? this.#options.store.sources.read(source)?.type ?? "";
    this.#types.set(source, type);
    return type;
  }

  #withMarks({ stored, opened, text }: ReadItem, found: readonly InstructionMark[]): OpenedItem {
    const marks = [...opened.marks, ...found].toSorted((a, b) => a.start - b.start || b.end - a.end);
    return new OpenedItem(stored.item, text, marks);
  }
}

export function aboutItem({ version, source, id }: StoredItem["item"]): AskedAbout {
  return { versions: [version], source, name: id };
}

/** The maximum length of a text that a model may withhold. Without this limit, a model's answer alone could withhold a whole page. */
const maxMarkLength = 1000;

function locate({ opened }: ReadItem, quote: string): readonly InstructionMark[] {
  if (quote.length > maxMarkLength) return [];
  const reason = "addresses an assistant, as triage found";
  return opened.text.find(quote).map((span) => ({ ...span, reason }));
}
