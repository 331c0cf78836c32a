/** Candidates, cited items and services for gate tests. */
import { createRedactor } from "@bridle/core";
import type { Candidate, CandidateBody } from "../../sources/candidate.ts";
import type { StagedItem } from "../../sources/source.ts";
import { findInstructions } from "../../staging/instructions/find-instructions.ts";
import { createSecretRemoval } from "../../staging/remove-secrets.ts";
import { type CheckResult, checkCandidate } from "./check-candidate.ts";
import { OpenedItem } from "./cited-item.ts";
import type { GateServices } from "./gate.ts";
import { KnownNames, type NamedTable } from "./known-names.ts";

const table = (id: string, columns: readonly string[]): NamedTable => {
  const [connection = "", schema = "", name = ""] = id.split(".");
  return { id, connection, schema, table: name, columns };
};

const ferryTables: readonly NamedTable[] = [
  table("ferry.main.bookings", ["id", "sailing_id", "passenger_id", "amount_cents", "status"]),
  table("ferry.main.vessels", ["id", "name", "hull_no"]),
  table("ferry.main.sailings", ["id", "vessel_id", "departs_at"]),
  table("ferry.hr.salaries", ["id", "amount_gross"]),
];

export function servicesForTests(more: Partial<GateServices> = {}): GateServices {
  const isVisible = ({ schema }: NamedTable) => schema !== "hr";
  const names = new KnownNames({ tables: ferryTables, isVisible, models: ["bookings.revenue"] });
  return { names, removeSecrets: createSecretRemoval(createRedactor()), ...more };
}

function stagedForTests(more: Partial<StagedItem> = {}): StagedItem {
  return {
    source: "wiki",
    id: "fares.md",
    title: "Fares",
    kind: "page",
    authority: "document",
    version: "v1",
    chars: 1,
    ...more,
  };
}

function openedForTests(text: string, more: Partial<StagedItem> = {}): OpenedItem {
  return new OpenedItem(stagedForTests({ chars: text.length, ...more }), text, findInstructions(text));
}

interface Given {
  readonly quote: string;
  readonly statement?: string;
  readonly body?: CandidateBody;
  /** The text of the item. Default: the quote. */
  readonly text?: string;
  readonly more?: Partial<Candidate>;
  readonly services?: GateServices;
  readonly measured?: ReadonlySet<string>;
}

/** Checks a statement, or another body, with a quote from a text. */
export function checkForTests({ quote, statement = quote, text = quote, ...given }: Given): Promise<CheckResult> {
  const { body, more, services = servicesForTests(), measured } = given;
  const own = { kind: "statement", subject: "fare", statement, topic: "fares", category: "rule", tables: [] } as const;
  const evidence = { source: "wiki", item: "fares.md", quote };
  const candidate: Candidate = { body: body ?? { ...own, tables: [] }, evidence, origin: "unit", ...more };
  const { signal } = new AbortController();
  return checkCandidate(candidate, openedForTests(text), { services, signal, measured });
}
