/** Projects exposures (who uses which tables) and groups (who owns them). */
import type { Candidate, StatementBody } from "../candidate.ts";
import { projected, toStatement, toSubject, toTopic } from "../evidence/item-text.ts";
import type { YamlValue } from "../evidence/yaml-text.ts";
import type { DbtNames } from "./dbt-names.ts";
import { referredName } from "./dbt-test.ts";
import { lastOf, ownerName } from "./project-tables.ts";

export function projectExposures(source: string, item: string, root: YamlValue, names: DbtNames): readonly Candidate[] {
  const exposures = root.list("exposures").flatMap((at) => exposureStatements(at, names).map((body) => ({ at, body })));
  const groups = root.list("groups").flatMap((at) => groupStatements(at).map((body) => ({ at, body })));
  return [...exposures, ...groups].map(({ at, body }) => projected(body, { source, item, ...at.quoted }));
}

function exposureStatements(at: YamlValue, names: DbtNames): readonly StatementBody[] {
  const name = at.child("label")?.text ?? at.child("name")?.text;
  if (name === undefined || at.child("config", "enabled")?.value === false) return [];
  const used = at.list("depends_on").flatMap((each) => referredName(each.value) ?? []);
  const tables = used.flatMap((each) => names.find(each) ?? []).slice(0, 20);
  const owner = ownerName(at.child("owner")?.value);
  const description = at.child("description")?.text ?? "";
  const resolved = names.describe(description);
  const type = at.child("type")?.text ?? "exposure";
  const body = (text: string, category: StatementBody["category"]): readonly StatementBody[] => {
    const statement = toStatement(text);
    const common = { kind: "statement", subject: toSubject(name), topic: toTopic(name), tables } as const;
    return statement === "" ? [] : [{ ...common, statement, category }];
  };
  return [
    ...("text" in resolved && description !== "" ? body(`${name}: ${resolved.text}`, "definition") : []),
    ...(used.length > 0 ? body(`The ${type} ${name} depends on ${used.map(lastOf).join(", ")}.`, "process") : []),
    ...(owner === undefined ? [] : body(`The owner of the ${type} ${name} is ${owner}.`, "ownership")),
  ];
}

function groupStatements(at: YamlValue): readonly StatementBody[] {
  const name = at.child("name")?.text;
  const owner = ownerName(at.child("owner")?.value);
  if (name === undefined || owner === undefined) return [];
  const statement = toStatement(`The owner of the group ${name} is ${owner}.`);
  const body = {
    kind: "statement",
    subject: toSubject(name),
    topic: toTopic(name),
    category: "ownership",
    tables: [],
  } as const;
  return [{ ...body, statement, tables: [] }];
}
