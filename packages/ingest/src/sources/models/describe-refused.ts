/** What cannot be imported may still say what a name means: its description becomes a statement. */
import type { ImportFinding } from "@bridle/semantic";
import type { Candidate } from "../../claims/candidate.ts";
import { projected, toStatement, toSubject, toTopic } from "../evidence/item-text.ts";
import { type QuotedEntry, quoteEntry } from "../evidence/quote-entry.ts";
import { YamlText } from "../evidence/yaml-text.ts";

/** What has a meaning of its own. A join or a file has none. */
const described = /^(?:metric|measure|dimension|segment|view|cube|model|semantic model) (\S+)$/;

export function describeRefused(
  findings: readonly ImportFinding[],
  texts: ReadonlyMap<string, string>,
  source: string,
): readonly Candidate[] {
  const seen = new Set<string>();
  return findings.flatMap((finding) => {
    const { kind, subject, position } = finding;
    const [, name] = described.exec(subject) ?? [];
    const key = `${position.file}:${position.line}:${subject}`;
    if (kind !== "refused" || name === undefined || seen.has(key)) return [];
    seen.add(key);
    const found = findDescription(finding, name, texts);
    if (found === undefined) return [];
    const statement = toStatement(`${name}: ${found.description}`);
    if (statement === "") return [];
    const topic = toTopic(name);
    const body = {
      kind: "statement",
      subject: toSubject(name),
      statement,
      topic,
      category: "definition",
      tables: [],
    } as const;
    return [projected({ ...body, tables: [] }, { source, item: position.file, ...found.quoted })];
  });
}

/** Whether the description of what was refused says what is left to say. */
export function isDescribed(finding: ImportFinding, texts: ReadonlyMap<string, string>): boolean {
  const [, name] = described.exec(finding.subject) ?? [];
  return name !== undefined && findDescription(finding, name, texts) !== undefined;
}

function findDescription(
  { position }: ImportFinding,
  name: string,
  texts: ReadonlyMap<string, string>,
): { readonly description: string; readonly quoted: QuotedEntry } | undefined {
  const text = texts.get(position.file);
  if (text === undefined) return undefined;
  const isBraced = /\.(?:lkml|lookml|js)$/i.test(position.file);
  return isBraced ? inBraces(text, position) : inYaml(text, name);
}

function inBraces(text: string, position: ImportFinding["position"]) {
  const quoted = quoteEntry(text, position, "braces");
  const [, description] =
    /\bdescription:\s*(?:"((?:[^"\\]|\\.)+)"|'((?:[^'\\]|\\.)+)'|`([^`]+)`)/
      .exec(quoted?.quote ?? "")
      ?.filter((part) => part !== undefined) ?? [];
  return quoted === undefined || description === undefined ? undefined : { description, quoted };
}

function inYaml(text: string, name: string) {
  const lists = [
    "metrics",
    "measures",
    "dimensions",
    "segments",
    "cubes",
    "views",
    "models",
    "semantic_models",
    "semantic_model",
    "datasets",
  ];
  const levels = new YamlText(text).roots;
  for (let level = levels, depth = 0; level.length > 0 && depth < 4; depth += 1) {
    const entries = level.flatMap((each) => lists.flatMap((list) => each.list(list)));
    const found = entries.find((each) => each.child("name")?.text === name && each.child("description")?.text);
    const description = found?.child("description")?.text;
    if (found !== undefined && description !== undefined) return { description, quoted: found.quoted };
    level = entries;
  }
  return undefined;
}
