import type { ApiDataContext } from "@bridle/client";
import { Empty } from "../../parts/states.tsx";

const demo = "npx bridle context demo --output roaster";

/** Whether all lists are empty, so that each would show the same message. */
export function isNothingKnown({ counts, sources, ingest, ingestProblem }: ApiDataContext): boolean {
  const isEmpty = Object.values(counts).every((count) => count === 0);
  return isEmpty && sources.length === 0 && ingest === null && ingestProblem === null;
}

/** The next step for a project without any known data. */
export function NothingKnown({ overview }: { overview: ApiDataContext }) {
  if (overview.connections.length > 0) return <NoTables overview={overview} />;
  return (
    <Empty
      title="Nothing is known about your data yet."
      commands={["npx bridle context init", "npx bridle context ingest docs", demo]}
    >
      <p>
        The first command finds databases and writes them to bridle.yaml. The second one reads a folder of documents,
        such as docs. The third one makes a project to try.
      </p>
    </Empty>
  );
}

/** The next step of a project without tables. */
export function NoTables({ overview: { connections } }: { overview: ApiDataContext }) {
  if (connections.length === 0) {
    return (
      <Empty title="No database is connected." commands={["npx bridle context init", demo]}>
        <p>The first command finds databases and writes them to bridle.yaml. The second one makes a project to try.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No table is known yet." commands={["npx bridle context scan"]}>
      <p>A scan reads names, types, keys and joins. It changes nothing in the database.</p>
    </Empty>
  );
}

export function NoJoins({ overview }: { overview: ApiDataContext }) {
  if (overview.counts.tables === 0) return <NoTables overview={overview} />;
  return (
    <Empty title="No join is known." commands={["npx bridle context joins propose"]}>
      <p>The scan found none in the data. A model can propose some, and the data decide about them.</p>
    </Empty>
  );
}

export function NoMetrics({ overview }: { overview: ApiDataContext }) {
  if (overview.counts.tables === 0) return <NoTables overview={overview} />;
  return (
    <Empty title="No metric is defined." commands={["npx bridle metrics propose"]}>
      <p>Models in context/models define the measures of tables. The command drafts some.</p>
    </Empty>
  );
}

export function NoPages({ overview: { sources } }: { overview: ApiDataContext }) {
  const commands = sources.length === 0 ? ["npx bridle context ingest docs"] : ["npx bridle context ingest"];
  return (
    <Empty title="No page is written." commands={commands}>
      <p>
        Pages explain the data. They are Markdown in context/wiki. The command writes them from a folder of documents,
        such as docs.
      </p>
    </Empty>
  );
}

export function NothingContested({ overview: { ingest } }: { overview: ApiDataContext }) {
  if (ingest === null) {
    return (
      <Empty title="Nothing was ingested yet." commands={["npx bridle context ingest docs"]}>
        <p>Documents that disagree are listed here. The command reads a folder of documents, such as docs.</p>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing contradicts.">
      <p>Documents that disagree are listed here until a person decides.</p>
    </Empty>
  );
}
