import type { ApiDataContext } from "@bridle/client";
import { formatCount } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { useServer } from "../connection/server.tsx";
import { useCommands } from "../keys/keyboard.tsx";
import { Mark } from "../parts/mark.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import { useSearchPlace } from "../parts/use-search-place.ts";
import { ContextFacts } from "./data/context-facts.tsx";
import {
  type ContextView,
  contextAddress,
  contextViews,
  toContextView,
  viewKeys,
  viewTitles,
} from "./data/context-view.ts";
import { JoinsView } from "./data/joins-view.tsx";
import { isNothingKnown, NothingKnown } from "./data/nothing-yet.tsx";
import { SearchView } from "./data/search-view.tsx";
import { TablesView } from "./data/tables-view.tsx";
import { ContestedView } from "./knowledge/contested-view.tsx";
import { PagesView } from "./knowledge/pages-view.tsx";
import { MetricsView } from "./metrics/metrics-view.tsx";
import "./data/data-context.css";

/** What agents know about the project's data, with the sources of this knowledge. */
export function DataContext() {
  const { client } = useServer();
  const [, go] = useLocation();
  const view = toContextView(useSearchPlace().get("view"));
  useCommands(
    contextViews.map((each) => ({
      id: `context-${each}`,
      title: `Data context: ${viewTitles[each]}`,
      keys: `v ${viewKeys[each]}`,
      run: () => go(contextAddress({ view: each })),
    })),
  );
  const { data, error, refetch } = useQuery({ queryKey: ["data-context"], queryFn: () => client.dataContext() });
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the data context" height="24rem" />;
  return (
    <div className="page data-context">
      <h1>Data context</h1>
      <ContextFacts overview={data} isProblemBelow={view === "contested"} />
      {isNothingKnown(data) ? <NothingKnown overview={data} /> : <Views view={view} overview={data} />}
    </div>
  );
}

/** The lists. One of them is open. */
function Views({ view, overview }: { view: ContextView; overview: ApiDataContext }) {
  return (
    <>
      <nav className="context-views" aria-label="Parts of the data context">
        {contextViews.map((each) => (
          <Link key={each} to={contextAddress({ view: each })} aria-current={each === view ? "page" : undefined}>
            {viewTitles[each]} {each !== "search" && <Count of={countOf(each, overview)} />}
          </Link>
        ))}
      </nav>
      <ViewOf key={view} view={view} overview={overview} />
    </>
  );
}

/** The number of entries in a list. Missing if the entries cannot be read. */
function Count({ of }: { of: number | null }) {
  if (of === null) return <Mark kind="bad" label="cannot be read" />;
  return <span className="muted">{formatCount(of)}</span>;
}

function countOf(view: Exclude<ContextView, "search">, { counts }: ApiDataContext): number | null {
  switch (view) {
    case "metrics":
      return counts.measures;
    case "joins":
      return counts.joins + counts.joinsToReview;
    case "contested":
      return counts.contradictions;
    default:
      return counts[view];
  }
}

function ViewOf({ view, overview }: { view: ContextView; overview: ApiDataContext }) {
  switch (view) {
    case "tables":
      return <TablesView overview={overview} />;
    case "joins":
      return <JoinsView overview={overview} />;
    case "metrics":
      return <MetricsView overview={overview} />;
    case "pages":
      return <PagesView overview={overview} />;
    case "contested":
      return <ContestedView overview={overview} />;
    case "search":
      return <SearchView overview={overview} />;
  }
}
