/** Defines work units: items with passages that an agent reads closely. Small items in one folder share a unit. */
import { dirname } from "node:path/posix";
import { answerKey } from "../../models/answer-key.ts";
import { ingestSkills, skillFor } from "../../skills/skills.ts";
import type { OpenedItem } from "../gates/cited-item.ts";
import type { TextPassage } from "../triage/passages.ts";

/** Increase this number with every change of the prompt or of a tool, so that all questions are asked again. */
const edition = 1;

/** An item of a unit. */
export interface UnitItem {
  readonly opened: OpenedItem;
  /** The passages to read. */
  readonly passages: readonly TextPassage[];
  /** The skill for this kind of item, in addition to the general one. */
  readonly skill: string | undefined;
  /** The key of the answer about the item. */
  readonly key: string;
}

export interface WorkUnit {
  /** The id of the first item. */
  readonly name: string;
  readonly source: string;
  readonly items: readonly UnitItem[];
}

export function unitItem(
  opened: OpenedItem,
  passages: readonly TextPassage[],
  { sourceType, model }: { sourceType: string; model: string },
): UnitItem {
  const skill = skillFor(opened.item.skill, sourceType);
  const hashes = ["general", skill].map(
    (name) => (name === undefined ? undefined : ingestSkills().get(name)?.hash) ?? null,
  );
  const asked = passages.map(({ headings, text }) => [headings, text]);
  return { opened, passages, skill, key: answerKey("unit", edition, model, hashes, opened.item.title, asked) };
}

/** The limits for all items of a unit. */
const max = { tokens: 6000, items: 8 };

/** Groups adjacent items, which it reads one after the other. */
export function* groupIntoUnits(items: Iterable<UnitItem>): Iterable<WorkUnit> {
  let open: UnitItem[] = [];
  let tokens = 0;
  for (const item of items) {
    const own = item.passages.reduce((sum, passage) => sum + passage.tokens, 0);
    const [first] = open;
    if (first !== undefined && (!canShare(first, item) || tokens + own > max.tokens || open.length >= max.items)) {
      yield toUnit(open);
      [open, tokens] = [[], 0];
    }
    open.push(item);
    tokens += own;
  }
  if (open.length > 0) yield toUnit(open);
}

function canShare(a: UnitItem, b: UnitItem): boolean {
  const [one, other] = [a.opened.item, b.opened.item];
  return one.source === other.source && a.skill === b.skill && dirname(one.id) === dirname(other.id);
}

function toUnit(items: readonly UnitItem[]): WorkUnit {
  const [first] = items;
  return { name: first?.opened.item.id ?? "", source: first?.opened.item.source ?? "", items };
}
