/** Turns query templates into items. The text describes what many of the templates have in common. */
import { toTitle } from "../files/title.ts";
import type { SourceItem } from "../source.ts";
import type { QueryTemplate } from "./query-templates.ts";

/** The minimum number of a table's templates that use a usual filter. Most of the runs must use it, too. */
const minTemplates = 3;
const minShare = 0.6;

export function templateItems(
  templates: readonly QueryTemplate[],
  connection: string | undefined,
): readonly SourceItem[] {
  const usual = usualFilters(templates);
  return templates.map((template) => {
    const title = toTitle(`Query of ${tablesOf(template).join(", ")}`);
    const sentences = filtersOf(template)
      .filter((each) => usual.has(each))
      .map(sentenceOf);
    const parts = [
      `# ${title}`,
      usage(template),
      ...(connection === undefined ? [] : [`Connection: ${connection}`]),
      ...(sentences.length > 0 ? [[...new Set(sentences)].join("\n")] : []),
      `\`\`\`sql\n${template.sql}\n\`\`\``,
    ];
    const common = { id: `query/${template.id}`, title, text: `${parts.join("\n\n")}\n`, kind: "query" } as const;
    return { ...common, authority: "inferred", isStructured: true };
  });
}

/** Describes the usage, with counts rounded down, so that an item does not change with each run. */
function usage({ runs, users, roles }: QueryTemplate): string {
  const by = users > 0 ? ` by ${roundDown(users)} ${users === 1 ? "user" : "users"} or more` : "";
  const as = roles.length > 0 ? `, with the roles ${roles.slice(0, 20).join(", ")}` : "";
  return `It ran ${roundDown(runs).toLocaleString("en")} times or more${by}${as}.`;
}

/** Rounds down to 1, 2, 5, 10, 20, 50, … */
export function roundDown(count: number): number {
  if (count < 1) return 0;
  const power = 10 ** Math.floor(Math.log10(count));
  return power * (count >= 5 * power ? 5 : count >= 2 * power ? 2 : 1);
}

function tablesOf({ shape }: Pick<QueryTemplate, "shape">): readonly string[] {
  return [...new Set(shape.tables.map((name) => name.join(".")))].toSorted();
}

/** Returns each filter as one string of `table` and `column operator`. */
function filtersOf({ shape }: QueryTemplate): readonly string[] {
  return shape.filters.map(({ on, operator }) => JSON.stringify([on.table.join("."), on.column, operator]));
}

function usualFilters(templates: readonly QueryTemplate[]): ReadonlySet<string> {
  const runs = new Map<string, number>();
  const counts = new Map<string, { templates: number; runs: number; readonly table: string }>();
  for (const template of templates) {
    for (const table of tablesOf(template)) runs.set(table, (runs.get(table) ?? 0) + template.runs);
    for (const filter of new Set(filtersOf(template))) {
      const [table = ""] = JSON.parse(filter) as string[];
      const count = counts.get(filter) ?? { templates: 0, runs: 0, table };
      counts.set(filter, { ...count, templates: count.templates + 1, runs: count.runs + template.runs });
    }
  }
  const isUsual = ({ templates: number, runs: own, table }: { templates: number; runs: number; table: string }) =>
    number >= minTemplates && own >= minShare * (runs.get(table) ?? 0);
  return new Set([...counts].flatMap(([filter, count]) => (isUsual(count) ? [filter] : [])));
}

const words: Readonly<Record<string, string>> = { "is null": "is null", "is not null": "is not null" };

function sentenceOf(filter: string): string {
  const [table = "", column = "", operator = ""] = JSON.parse(filter) as string[];
  const condition = words[operator];
  return `Most queries of ${table} filter by ${column}${condition === undefined ? "" : ` ${condition}`}.`;
}

export const usualFilterPattern = /^Most queries of (.{1,300}) filter by (.{1,200})\.$/gm;
