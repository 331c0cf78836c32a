/** Turns the description of an entry that cannot be imported into a statement, because it may still explain a name. */
import type { ImportFinding } from "@bridle/metric-formats";
import type { ModelFile } from "@bridle/semantic";
import type { Candidate } from "../candidate.ts";
import { projected, toStatement, toSubject, toTopic } from "../evidence/item-text.ts";
import { EntryQuotes, type QuotedEntry } from "../evidence/quote-entry.ts";
import { YamlText, type YamlValue } from "../evidence/yaml-text.ts";

interface Described {
  readonly description: string;
  readonly quoted: QuotedEntry;
}

/** Entries that have a meaning of their own, unlike a join or a file. */
const named = /^(?:metric|measure|dimension|segment|view|cube|model|semantic model) (\S+)$/;

/** Finds the descriptions of entries that an import refused. Reads each file once. */
export class RefusedEntries {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #yaml = new Map<string, ReadonlyMap<string, Described>>();
  readonly #quotes = new Map<string, EntryQuotes>();

  constructor(files: readonly ModelFile[]) {
    this.#texts = new Map(files.map(({ file, text }) => [file, text]));
  }

  /** Whether the refused entry has a description. */
  isDescribed(finding: ImportFinding): boolean {
    return this.#find(finding) !== undefined;
  }

  /** Returns one statement for each distinct description. */
  statements(findings: readonly ImportFinding[], source: string): readonly Candidate[] {
    const seen = new Set<string>();
    return findings.flatMap((finding) => {
      const [, name = ""] = named.exec(finding.subject) ?? [];
      const found = finding.kind === "refused" ? this.#find(finding) : undefined;
      const statement = found === undefined ? "" : toStatement(`${name}: ${found.description}`);
      const { file } = finding.position;
      if (found === undefined || statement === "" || seen.has(`${file} ${statement}`)) return [];
      seen.add(`${file} ${statement}`);
      const body = { kind: "statement", subject: toSubject(name), statement, topic: toTopic(name) } as const;
      return [projected({ ...body, category: "definition", tables: [] }, { source, item: file, ...found.quoted })];
    });
  }

  #find({ subject, position }: ImportFinding): Described | undefined {
    const [, name] = named.exec(subject) ?? [];
    const { file } = position;
    const text = this.#texts.get(file);
    if (name === undefined || text === undefined) return undefined;
    if (/\.(?:lkml|lookml|js)$/i.test(file)) return this.#inBraces(file, text, position);
    const entries = this.#yaml.get(file) ?? describedEntries(text);
    this.#yaml.set(file, entries);
    return entries.get(name);
  }

  #inBraces(file: string, text: string, position: ImportFinding["position"]): Described | undefined {
    const quotes = this.#quotes.get(file) ?? new EntryQuotes(text, "braces");
    this.#quotes.set(file, quotes);
    const quoted = quotes.at(position);
    const found = /\bdescription:\s*(?:"((?:[^"\\]|\\.)+)"|'((?:[^'\\]|\\.)+)'|`([^`]+)`)/.exec(quoted?.quote ?? "");
    const description = found?.slice(1).find((part) => part !== undefined);
    return quoted === undefined || description === undefined ? undefined : { description, quoted };
  }
}

const lists = "metrics measures dimensions segments cubes views models semantic_models semantic_model datasets".split(
  " ",
);
const maxLevels = 4;

/** Returns entries by name, the first of each name. */
function describedEntries(text: string): ReadonlyMap<string, Described> {
  const found = new Map<string, Described>();
  let level: readonly YamlValue[] = new YamlText(text).roots;
  for (let depth = 0; level.length > 0 && depth < maxLevels; depth += 1) {
    level = level.flatMap((each) => lists.flatMap((list) => each.list(list)));
    for (const entry of level) {
      const name = entry.child("name")?.text;
      const description = entry.child("description")?.text;
      if (name !== undefined && description && !found.has(name)) found.set(name, { description, quoted: entry.quoted });
    }
  }
  return found;
}
