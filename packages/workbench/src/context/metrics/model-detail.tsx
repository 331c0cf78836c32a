import type { ApiMetrics } from "@bridle/client";
import { showHidden } from "@bridle/protocol/text";
import { Link } from "wouter";
import { Empty } from "../../parts/states.tsx";
import { contextAddress } from "../data/context-view.ts";
import { Name } from "../data/name.tsx";
import type { ContextPlace } from "../data/use-place.ts";
import { CompiledMetric } from "./compiled-metric.tsx";

type Model = ApiMetrics["models"][number];

interface ModelDetailProps {
  readonly model: Model | undefined;
  readonly name: string;
  readonly place: ContextPlace;
}

/** A model with its measures and dimensions, and the statement of the chosen measure. */
export function ModelDetail({ model, name, place }: ModelDetailProps) {
  if (model === undefined) return <Empty title={`There is no model ${showHidden(name, "").slice(0, 80)}.`} />;
  const { connection, table, sql, description, defaultTime, measures, dimensions, segments, joins } = model;
  return (
    <>
      <h2>
        <Name text={model.name} />
      </h2>
      <p>
        {table === undefined ? (
          <>
            rows of a statement on <Name text={connection} />
          </>
        ) : (
          <Link to={contextAddress({ view: "tables", open: `${connection}.${table}` })}>
            <Name text={`${connection}.${table}`} />
          </Link>
        )}
        {defaultTime !== undefined && `, by default over ${showHidden(defaultTime, "")}`}
      </p>
      {sql !== undefined && <pre>{showHidden(sql)}</pre>}
      {description !== undefined && <p dir="auto">{showHidden(description)}</p>}
      <Entries title="Measures" entries={measures.map((each) => ({ ...each, fact: each.formula }))} place={place} />
      {measures.length > 0 && <CompiledMetric model={model} place={place} />}
      <Entries title="Dimensions" entries={dimensions.map((each) => ({ ...each, fact: each.type }))} />
      <Entries title="Segments" entries={segments} />
      <Entries
        title="Joins"
        entries={joins.map((each) => ({ name: each.name, fact: `${each.relationship} to ${each.to}` }))}
      />
    </>
  );
}

interface EntriesProps {
  readonly title: string;
  readonly entries: readonly {
    readonly name: string;
    readonly fact?: string | undefined;
    readonly description?: string;
  }[];
  /** Called when an entry is selected. If missing, entries cannot be selected. */
  readonly place?: ContextPlace;
}

function Entries({ title, entries, place }: EntriesProps) {
  if (entries.length === 0) return null;
  const chosen = place?.get("measure");
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul className="context-entries">
        {entries.map(({ name, fact, description }) => (
          <li key={name}>
            {place === undefined ? (
              <strong>
                <Name text={name} />
              </strong>
            ) : (
              <button
                type="button"
                className="quiet measure"
                aria-pressed={name === chosen}
                onClick={() => place.set({ measure: name })}
              >
                <Name text={name} />
              </button>
            )}{" "}
            {fact !== undefined && <span className="formula">{showHidden(fact)}</span>}
            {description !== undefined && (
              <p className="muted" dir="auto">
                {showHidden(description)}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
