import type { ApiDataContext, ApiFoundContext } from "@bridle/client";
import { counted, showHidden, showHiddenInDocument } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { Link } from "wouter";
import { useServer } from "../../connection/server.tsx";
import { useCommands } from "../../keys/keyboard.tsx";
import { Empty, Loading, Problem } from "../../parts/states.tsx";
import { contextAddress } from "./context-view.ts";
import { describeJoin } from "./describe-join.ts";
import { JoinEnds } from "./join-ends.tsx";
import { Name, Names } from "./name.tsx";
import { NoTables } from "./nothing-yet.tsx";
import { useContextPlace } from "./use-place.ts";

/** The same tables, metrics and pages that an agent finds with these words, in the same order. */
export function SearchView({ overview }: { overview: ApiDataContext }) {
  const { client } = useServer();
  const place = useContextPlace();
  const [text, setText] = useState(place.words);
  const input = useRef<HTMLInputElement>(null);
  useCommands([{ id: "context-search", title: "Search as an agent", keys: "/", run: () => input.current?.focus() }]);
  const { data, error, isFetching } = useQuery({
    queryKey: ["data-context", "search", place.words],
    queryFn: () => client.searchContext({ query: place.words }),
    enabled: place.words !== "",
    staleTime: 60_000,
  });
  if (overview.counts.tables + overview.counts.pages === 0) return <NoTables overview={overview} />;
  return (
    <section aria-label="Search as an agent" className="context-search">
      <form
        className="actions"
        onSubmit={(event) => {
          event.preventDefault();
          place.set({ q: text.trim() });
        }}
      >
        <input
          ref={input}
          type="search"
          aria-label="Words to search for"
          placeholder="Search as an agent does"
          maxLength={2000}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit">Search</button>
      </form>
      {error && <Problem error={error} />}
      {isFetching && data === undefined && <Loading what="the results of an agent's search" height="16rem" />}
      {place.words === "" && <p className="muted">Write words of a question, such as revenue by country.</p>}
      {data !== undefined && <Found found={data} />}
    </section>
  );
}

function Found({ found: { metrics, pages, tables, joins } }: { found: ApiFoundContext }) {
  if (metrics.length + pages.length + tables.length === 0) {
    return (
      <Empty title="An agent finds nothing for these words." commands={["npx bridle context ingest docs"]}>
        <p>
          Use words of tables, columns, metrics or pages. If people use other words than the data, a page can teach
          agents their words. The command writes pages from a folder of documents, such as docs.
        </p>
      </Empty>
    );
  }
  return (
    <>
      <Group title="Metrics" entries={metrics} keyOf={({ kind, name }) => `${kind} ${name}`}>
        {(metric) => <FoundMetric metric={metric} />}
      </Group>
      <Group title="Pages" entries={pages} keyOf={({ page }) => page}>
        {(page) => <FoundPage page={page} />}
      </Group>
      <Group title="Tables" entries={tables} keyOf={({ id }) => id}>
        {(table) => <FoundTable table={table} />}
      </Group>
      <Group title="Joins between these tables" entries={joins} keyOf={({ id }) => id}>
        {(join) => (
          <>
            <Link to={contextAddress({ view: "joins", open: join.id })}>
              <JoinEnds join={join} />
            </Link>
            <p className="muted">{describeJoin(join)}</p>
          </>
        )}
      </Group>
    </>
  );
}

interface GroupProps<Entry> {
  readonly title: string;
  readonly entries: readonly Entry[];
  keyOf(entry: Entry): string;
  children(entry: Entry): ReactNode;
}

function Group<Entry>({ title, entries, keyOf, children }: GroupProps<Entry>) {
  if (entries.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ol className="context-entries">
        {entries.map((entry) => (
          <li key={keyOf(entry)}>{children(entry)}</li>
        ))}
      </ol>
    </section>
  );
}

function Score({ of }: { of: number }) {
  return <span className="score">{of.toFixed(2)}</span>;
}

function FoundMetric({ metric }: { metric: ApiFoundContext["metrics"][number] }) {
  const { kind, name, formula, description, score } = metric;
  const measure = kind === "metric" ? name : undefined;
  return (
    <>
      <p>
        <Link to={contextAddress({ view: "metrics", open: name.split(".")[0], measure })}>
          <Name text={name} />
        </Link>{" "}
        <span className="muted">{kind}</span> <Score of={score} />
      </p>
      {formula !== undefined && <p className="formula">{showHidden(formula)}</p>}
      {description !== undefined && <p dir="auto">{showHidden(description)}</p>}
    </>
  );
}

function FoundPage({ page: found }: { page: ApiFoundContext["pages"][number] }) {
  const { page, title, section, text, isDisputed, score } = found;
  return (
    <>
      <p>
        <Link to={contextAddress({ view: "pages", open: page })}>
          <Name text={title} />
          {section !== undefined && <Name text={` › ${section}`} />}
        </Link>{" "}
        {isDisputed && <span className="muted">disputed</span>} <Score of={score} />
      </p>
      <p className="found-text" dir="auto">
        {showHiddenInDocument(text)}
      </p>
    </>
  );
}

function FoundTable({
  table: { id, rows, description, columns, score },
}: {
  table: ApiFoundContext["tables"][number];
}) {
  return (
    <>
      <p>
        <Link to={contextAddress({ view: "tables", open: id })}>
          <Name text={id} />
        </Link>{" "}
        <span className="muted">{rows !== undefined && counted(rows, "row")}</span> <Score of={score} />
      </p>
      {description !== undefined && <p dir="auto">{showHidden(description)}</p>}
      <p className="muted">
        <Names of={columns} />
      </p>
    </>
  );
}
