import type { ApiDataContext, ApiPages } from "@bridle/client";
import { counted } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo } from "react";
import { useServer } from "../../connection/server.tsx";
import { Mark } from "../../parts/mark.tsx";
import { Empty, Loading, Problem } from "../../parts/states.tsx";
import { filterPages } from "../data/filter-rows.ts";
import { ListWithDetail } from "../data/list-with-detail.tsx";
import { Name } from "../data/name.tsx";
import { NoPages } from "../data/nothing-yet.tsx";
import { useContextPlace } from "../data/use-place.ts";
import { WindowedRows } from "../data/windowed-rows.tsx";
import { PageDetail } from "./page-detail.tsx";

type ListedPage = ApiPages["pages"][number];

/** Pages with knowledge about the data from people and documents. */
export function PagesView({ overview }: { overview: ApiDataContext }) {
  const { client } = useServer();
  const place = useContextPlace();
  const { data, error, refetch } = useQuery({
    queryKey: ["data-context", "pages"],
    queryFn: () => client.pages(),
    staleTime: 60_000,
  });
  const words = useDeferredValue(place.words);
  const found = useMemo(() => filterPages(data?.pages ?? [], words), [data, words]);
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the pages" height="24rem" />;
  if (data.pages.length === 0) return <NoPages overview={overview} />;
  return (
    <ListWithDetail
      place={place}
      noun="page"
      total={data.pages.length}
      found={found.length}
      detail={place.open !== undefined && <PageDetail key={place.open} page={place.open} overview={overview} />}
    >
      {found.length === 0 && <Empty title="No page has this in its title or summary." />}
      <WindowedRows label="Pages" rows={found} place={place} keyOf={({ page }) => page}>
        {(page) => <PageRow page={page} />}
      </WindowedRows>
    </ListWithDetail>
  );
}

const uses: Readonly<Record<ListedPage["use"], string>> = {
  always: "always part of the instructions",
  search: "",
  never: "hidden from agents",
};

function PageRow({ page: { title, summary, use, isDisputed, sources } }: { page: ListedPage }) {
  const facts = [uses[use], sources.length === 0 ? "" : counted(sources.length, "source")].filter(Boolean);
  return (
    <>
      <span className="row-title">
        {isDisputed && <Mark kind="warn" label="disputed" />}
        <Name text={title} />
      </span>
      <span className="muted">{facts.join(", ")}</span>
      {summary !== undefined && (
        <span className="row-more cut" dir="auto">
          <Name text={summary} />
        </span>
      )}
    </>
  );
}
