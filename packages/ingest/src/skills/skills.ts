/** Guides for models: what a kind of source contains, what is worth keeping, and how to cite. */
import texts from "./skill-texts.json" with { type: "json" };

/** Parts that several guides include, and that are none of their own. */
const parts = new Set(["general", "models"]);

const byName = new Map(Object.entries(texts));

/** Their names: those of the kinds of sources. */
export const ingestSkillNames: readonly string[] = [...byName.keys()].filter((name) => !parts.has(name));

/** A guide as Markdown, with what it includes. Undefined if there is none of that name. */
export function readIngestSkill(name: string): string | undefined {
  const text = parts.has(name) ? undefined : byName.get(name);
  if (text === undefined) return undefined;
  const [, list = "", body = text] = /^---\ninclude: \[([\w, ]+)\]\n---\n\n([\s\S]*)$/.exec(text) ?? [];
  const included = list.split(", ").flatMap((part) => byName.get(part) ?? []);
  return [body, ...included].map((part) => part.trim()).join("\n\n");
}
