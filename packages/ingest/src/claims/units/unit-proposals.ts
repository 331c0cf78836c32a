import { type Candidate, type CandidateBody, candidateBody } from "../../sources/candidate.ts";
import { type CheckResult, checkCandidate, wordingOf } from "../gates/check-candidate.ts";
import type { GateRefusal, GateServices } from "../gates/gate.ts";
import { statedNumbers, unsupportedNumbers } from "../numbers-in.ts";
import { similarityOf } from "../similar-blocks.ts";
import type { StoredProposal } from "./unit-answer.ts";
import type { NamedPassage, UnitPassages } from "./unit-passages.ts";
import type { UnitItem } from "./work-unit.ts";

/** The reply to the model. */
export interface ProposalReply {
  readonly isAccepted: boolean;
  readonly text: string;
}

interface KeptProposal extends StoredProposal {
  readonly item: UnitItem;
}

type Proposed = Pick<KeptProposal, "body" | "quote" | "item">;

/** The maximum number of proposals of a unit, and of refusals of the same proposal. */
const max = { proposals: 300, refusals: 3 };

/** The proposals of one unit. Each proposal is checked as soon as it is made; the model cannot influence the result of the check. */
export class UnitProposals {
  readonly #passages: UnitPassages;
  readonly #services: GateServices;
  readonly #kept: KeptProposal[] = [];
  readonly #measured = new Set<string>();

  constructor(passages: UnitPassages, services: GateServices) {
    this.#passages = passages;
    this.#services = services;
  }

  /** Records the numbers in a result as measured. */
  addMeasured(text: string): void {
    if (this.#measured.size > 5000) return;
    for (const number of statedNumbers(text)) this.#measured.add(number);
  }

  /** Checks a proposal and keeps it with the result. The model wrote `passage` and `quote`. */
  async propose(written: unknown, passage: string, quote: string, signal: AbortSignal): Promise<ProposalReply> {
    const parsed = candidateBody.safeParse(written);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return refused("schema", `${issue?.path.join(".") ?? "input"}: ${issue?.message ?? "not valid"}.`);
    }
    const body = parsed.data;
    const found = this.#passages.find(passage);
    if (found === undefined)
      return refused("citation", `There is no passage ${passage.slice(0, 40)}. Cite one that you were given.`);
    const proposed = { body, quote, item: found.unitItem };
    const full = this.#whyFull(proposed);
    if (full !== undefined) return full;
    const result = await this.#check(body, found, quote, signal);
    this.#keep(proposed, found, result.kind === "refused" ? result.refusal : undefined);
    if (result.kind === "refused") return refused(result.refusal.gate, result.refusal.reason);
    const proof = result.needsProof ? " Its words differ from the quote, so another check will compare them." : "";
    return { isAccepted: true, text: `Accepted.${proof}` };
  }

  get accepted(): number {
    return this.#kept.filter(({ refusal }) => refusal === undefined).length;
  }

  /** Returns the proposals about an item, in the stored format. */
  of(item: UnitItem): readonly StoredProposal[] {
    return this.#kept.filter((each) => each.item === item).map(({ item: _item, ...proposal }) => proposal);
  }

  #whyFull(proposed: Proposed): ProposalReply | undefined {
    if (this.#kept.some((each) => isSame(each, proposed)))
      return refused("schema", "You proposed exactly this before.");
    if (this.#refusedBefore(proposed).length >= max.refusals)
      return refused("schema", "It was refused three times. Leave it, and continue with the next fact.");
    if (this.#kept.length >= max.proposals) return refused("size", "The unit has too many proposals. Stop now.");
    return undefined;
  }

  /** Returns earlier attempts that were refused. */
  #refusedBefore(proposed: Proposed): readonly KeptProposal[] {
    return this.#kept.filter((each) => each.refusal !== undefined && isAttempt(each, proposed));
  }

  #check(
    body: CandidateBody,
    { passage, unitItem }: NamedPassage,
    quote: string,
    signal: AbortSignal,
  ): Promise<CheckResult> {
    const { item } = unitItem.opened;
    const evidence = { source: item.source, item: item.id, quote, start: passage.start };
    const candidate: Candidate = { body, evidence, origin: "unit" };
    const siblings = this.#kept.flatMap((each) =>
      each.body.kind === "model-part" && each.refusal === undefined ? [each.body] : [],
    );
    const options = { services: this.#services, signal, measured: this.#measured, siblings };
    return checkCandidate(candidate, unitItem.opened, options);
  }

  /** Keeps a proposal. A corrected proposal replaces refused ones. */
  #keep(proposed: Proposed, { passage }: NamedPassage, refusal: GateRefusal | undefined): void {
    const { body, quote } = proposed;
    const needed = unsupportedNumbers(wordingOf(body), statedNumbers(quote));
    const measured = needed.filter((number) => this.#measured.has(number));
    for (const each of this.#refusedBefore(proposed)) each.isReplaced = true;
    this.#kept.push({ ...proposed, start: passage.start, measured, refusal, isReplaced: false });
  }
}

function refused(gate: string, reason: string): ProposalReply {
  return { isAccepted: false, text: `Refused (${gate}): ${reason}` };
}

function isSame(a: Proposed, b: Proposed): boolean {
  return a.item === b.item && a.quote === b.quote && JSON.stringify(a.body) === JSON.stringify(b.body);
}

/** Whether both proposals are attempts at the same fact of one document. A document may contain several facts about a subject. */
function isAttempt(a: Proposed, b: Proposed): boolean {
  if (a.item !== b.item || nameOf(a.body) !== nameOf(b.body)) return false;
  if (a.body.kind !== "statement" || b.body.kind !== "statement") return true;
  return similarityOf(a.body.statement, b.body.statement) >= minSimilarity;
}

/** The minimum similarity of a corrected statement, which keeps most of its words. */
const minSimilarity = 0.5;

function nameOf(body: CandidateBody): string {
  switch (body.kind) {
    case "statement":
      return `statement ${body.subject.toLowerCase()} ${body.category}`;
    case "description":
      return `description ${body.subject.toLowerCase()}`;
    case "join":
      return `join ${body.from.join()} ${body.to.join()}`;
    case "model-part":
      return `${body.part} ${body.model}.${body.name}`;
  }
}
