import type { ApiDataContext, ApiPage } from "@bridle/client";
import { showHidden } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useServer } from "../../connection/server.tsx";
import { Loading, NotFound } from "../../parts/states.tsx";
import { Markdown } from "../../text/markdown.tsx";
import { contextAddress } from "../data/context-view.ts";
import { Name } from "../data/name.tsx";
import { hasStatements, Statements } from "./statements.tsx";

/** A page and its numbered sources. The same numbers mark statements in the text. */
export function PageDetail({ page, overview }: { page: string; overview: ApiDataContext }) {
  const { client } = useServer();
  const { data, error, refetch } = useQuery({
    queryKey: ["data-context", "page", page],
    queryFn: () => client.page(page),
  });
  if (error && data === undefined) {
    return (
      <NotFound
        error={error}
        retry={() => void refetch()}
        title={`There is no page ${showHidden(page, "")}.`}
        names={["page"]}
        commands={["npx bridle context wiki lint"]}
      >
        <p>
          <Link to={contextAddress({ view: "pages" })}>See the pages that there are</Link>, or find links without a page
          with the command.
        </p>
      </NotFound>
    );
  }
  if (data === undefined) return <Loading what="the page" height="24rem" />;
  return (
    <>
      <h2 dir="auto">{showHidden(data.title, "")}</h2>
      <p className="muted id">{showHidden(data.file, "")}</p>
      {data.isDisputed && (
        <p className="note">
          Documents disagree about something on this page.{" "}
          <Link to={contextAddress({ view: "contested" })}>See both sides</Link>
        </p>
      )}
      <Markdown text={data.text} toPage={toPage} />
      <PageSources page={data} />
      <PageLinks page={data} />
      {hasStatements(overview) && <Statements subject={data.page} />}
    </>
  );
}

function PageSources({ page: { sources } }: { page: ApiPage }) {
  if (sources.length === 0) return <p className="muted">The page names no source: a person wrote it.</p>;
  return (
    <section aria-label="Sources">
      <h3>Sources</h3>
      <ol className="page-sources">
        {sources.map(({ source, item, title, updated, location }) => (
          <li key={`${source} ${item}`} dir="auto">
            {title !== undefined && `${showHidden(title, "")}, `}
            <span className="id">{showHidden(location ?? item, "")}</span>{" "}
            <span className="muted">
              ({showHidden(source, "")}
              {updated !== undefined && `, changed ${showHidden(updated, "")}`})
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function PageLinks({ page: { tables, metrics, refs } }: { page: ApiPage }) {
  return (
    <dl className="page-links">
      <LinkList title="Tables" names={tables} toAddress={(open) => contextAddress({ view: "tables", open })} />
      <LinkList title="Metrics" names={metrics} toAddress={toMetric} />
      <LinkList title="See also" names={refs} toAddress={toPage} />
    </dl>
  );
}

function toPage(open: string): string {
  return contextAddress({ view: "pages", open });
}

function toMetric(measure: string): string {
  return contextAddress({ view: "metrics", open: measure.split(".")[0], measure });
}

interface LinkListProps {
  readonly title: string;
  readonly names: readonly string[];
  toAddress(name: string): string;
}

function LinkList({ title, names, toAddress }: LinkListProps): ReactNode {
  if (names.length === 0) return null;
  return (
    <>
      <dt>{title}</dt>
      {names.map((name) => (
        <dd key={name}>
          <Link to={toAddress(name)}>
            <Name text={name} />
          </Link>
        </dd>
      ))}
    </>
  );
}
