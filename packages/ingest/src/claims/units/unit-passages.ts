import { fenceNotice, fenceTexts } from "../../models/fence.ts";
import { ingestSkills } from "../../skills/skills.ts";
import type { OpenedItem } from "../gates/cited-item.ts";
import type { TextPassage } from "../triage/passages.ts";
import { named } from "../triage/triage-prompt.ts";
import type { UnitItem, WorkUnit } from "./work-unit.ts";

/** A passage of a unit, with the name that its model uses. */
export interface NamedPassage {
  readonly name: string;
  readonly passage: TextPassage;
  readonly unitItem: UnitItem;
}

/** The passages of a unit, by name. */
export class UnitPassages {
  readonly all: readonly NamedPassage[];

  constructor({ items }: WorkUnit) {
    const passages = items.flatMap((unitItem) => unitItem.passages.map((passage) => ({ passage, unitItem })));
    this.all = passages.map((each, index) => ({ ...each, name: `p${index + 1}` }));
  }

  find(name: string): NamedPassage | undefined {
    return this.all.find((each) => each.name === name.trim());
  }

  itemOf(name: string): OpenedItem | undefined {
    return this.find(name)?.unitItem.opened;
  }
}

/**
 * The maximum number of tokens of passages in the prompt itself. The model reads other passages with a tool, so the context stays short.
 */
const shownTokens = 8000;

export function unitPrompt(passages: UnitPassages): string {
  const shown: NamedPassage[] = [];
  let tokens = 0;
  for (const each of passages.all) {
    if (shown.length > 0 && tokens + each.passage.tokens > shownTokens) break;
    shown.push(each);
    tokens += each.passage.tokens;
  }
  const others = passages.all.slice(shown.length);
  const rest =
    others.length === 0
      ? ""
      : `\n\nRead the others one after the other with read_source: ${others.map(({ name }) => name).join(", ")}.`;
  const skills = [...new Set(passages.all.flatMap(({ unitItem }) => unitItem.skill ?? []))];
  const advice = skills.length === 0 ? "" : ` Load the skill ${skills.join(" and ")} first.`;
  return `Find the facts of these passages and propose them.${advice}\n\n${formatPassages(shown)}${rest}`;
}

export function formatPassages(passages: readonly NamedPassage[]): string {
  return fenceTexts(passages.map(({ name, passage }, index) => ({ ...named(passage, index), name })));
}

/** Returns the system prompt, which is the same for all units, so that a host can cache it. */
export function unitSystem(): string {
  const skills = Array.from(ingestSkills().values(), ({ name, description }) => `- ${name}: ${description}`).join("\n");
  return `You read passages of a company's documents and propose what a knowledge base about its data should know: facts with quotes, descriptions of tables and columns, joins, and parts of metric models.
Every proposal is checked at once against the document and the warehouse. If it is refused, correct what the reason says, or leave it. Nothing else that you write is used. When you have proposed every fact, say "Done" and stop.
Copy quotes without a change. Prefer the document's own sentence as the statement. Add nothing that the document does not say.
${fenceNotice}

Skills, which load_skill reads:
${skills}`;
}
