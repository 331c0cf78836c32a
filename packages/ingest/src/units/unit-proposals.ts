import { type Candidate, type CandidateBody, candidateBody } from "../claims/candidate.ts";
import { statedNumbers, unsupportedNumbers } from "../claims/numbers-in.ts";
import { type CheckResult, checkCandidate, wordingOf } from "../gates/check-candidate.ts";
import type { GateRefusal, GateServices } from "../gates/gate.ts";
import type { StoredProposal } from "./unit-answer.ts";
import type { NamedPassage, UnitPassages } from "./unit-passages.ts";
import type { UnitItem } from "./work-unit.ts";

/** What the model is answered. */
export interface ProposalReply {
  readonly isAccepted: boolean;
  readonly text: string;
}

interface KeptProposal extends StoredProposal {
  readonly item: UnitItem;
  /** What it is about: a corrected proposal replaces a refused one of the same thing. */
  readonly thing: string;
}

/** The most proposals of one unit, and the most refusals of the same thing. */
const most = { proposals: 300, refusals: 3 };

/** The proposals of one unit. Each is checked when it is made; the model has no say in what becomes of it. */
export class UnitProposals {
  readonly #passages: UnitPassages;
  readonly #services: GateServices;
  readonly #kept: KeptProposal[] = [];
  readonly #refusals = new Map<string, number>();
  readonly #measured = new Set<string>();

  constructor(passages: UnitPassages, services: GateServices) {
    this.#passages = passages;
    this.#services = services;
  }

  /** Adds the numbers of a result that the unit measured. */
  addMeasured(text: string): void {
    if (this.#measured.size > 5000) return;
    for (const number of statedNumbers(text)) this.#measured.add(number);
  }

  /** Checks a proposal and keeps it. `passage` and `quote` are as the model wrote them. */
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
    const thing = thingOf(body, found);
    const full = this.#whyFull(body, quote, thing, found);
    if (full !== undefined) return full;
    const result = await this.#check(body, found, quote, signal);
    this.#keep({ body, quote, thing, found, refusal: result.kind === "refused" ? result.refusal : undefined });
    if (result.kind === "refused") {
      this.#refusals.set(thing, (this.#refusals.get(thing) ?? 0) + 1);
      return refused(result.refusal.gate, result.refusal.reason);
    }
    const proof = result.needsProof ? " It has other words than the quote, so another check will compare them." : "";
    return { isAccepted: true, text: `Accepted.${proof}` };
  }

  get accepted(): number {
    return this.#kept.filter(({ refusal }) => refusal === undefined).length;
  }

  /** The proposals about an item, as they are stored. */
  of(item: UnitItem): readonly StoredProposal[] {
    return this.#kept
      .filter((each) => each.item === item)
      .map(({ item: _item, thing: _thing, ...proposal }) => proposal);
  }

  #whyFull(body: CandidateBody, quote: string, thing: string, { unitItem }: NamedPassage): ProposalReply | undefined {
    const isSame = (each: KeptProposal) =>
      each.item === unitItem && each.quote === quote && JSON.stringify(each.body) === JSON.stringify(body);
    if (this.#kept.some(isSame)) return refused("schema", "You proposed exactly this before.");
    if ((this.#refusals.get(thing) ?? 0) >= most.refusals)
      return refused("schema", "It was refused three times. Leave it, and continue with the next fact.");
    if (this.#kept.length >= most.proposals) return refused("size", "The unit has too many proposals. Stop now.");
    return undefined;
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

  #keep(proposal: {
    readonly body: CandidateBody;
    readonly quote: string;
    readonly thing: string;
    readonly found: NamedPassage;
    readonly refusal: GateRefusal | undefined;
  }): void {
    const { body, quote, thing, found, refusal } = proposal;
    const needed = unsupportedNumbers(wordingOf(body), statedNumbers(quote));
    const measured = needed.filter((number) => this.#measured.has(number));
    for (const each of this.#kept) if (each.refusal !== undefined && each.thing === thing) each.isReplaced = true;
    const { start } = found.passage;
    this.#kept.push({ body, quote, start, measured, refusal, isReplaced: false, item: found.unitItem, thing });
  }
}

function refused(gate: string, reason: string): ProposalReply {
  return { isAccepted: false, text: `Refused (${gate}): ${reason}` };
}

/** Each document may say the same: what is about another one replaces nothing. */
function thingOf(body: CandidateBody, { unitItem }: NamedPassage): string {
  return JSON.stringify([unitItem.opened.item.id, nameOf(body)]);
}

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
