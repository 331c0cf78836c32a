import type { ApiDataContext } from "@bridle/client";
import { counted } from "@bridle/protocol/text";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useMemo } from "react";
import { mayReadOn, readAgain } from "../../connection/next-page.ts";
import { useServer } from "../../connection/server.tsx";
import { Empty, Loading, Problem } from "../../parts/states.tsx";
import { type FoundTable, filterTables } from "./filter-rows.ts";
import { ListWithDetail } from "./list-with-detail.tsx";
import { Name, Names } from "./name.tsx";
import { NoTables } from "./nothing-yet.tsx";
import { TableDetail } from "./table-detail.tsx";
import { useContextPlace } from "./use-place.ts";
import { WindowedRows } from "./windowed-rows.tsx";

/** All scanned tables, which are loaded in pages, one after the other. */
export function TablesView({ overview }: { overview: ApiDataContext }) {
  const { client } = useServer();
  const place = useContextPlace();
  const pages = useInfiniteQuery({
    queryKey: ["data-context", "tables"],
    queryFn: ({ pageParam }) => client.tables({ limit: 500, ...(pageParam !== null && { cursor: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 60_000,
  });
  const { data, error, hasNextPage, isFetchNextPageError, fetchNextPage } = pages;
  const readsOn = mayReadOn(pages);
  useEffect(() => {
    if (readsOn) void fetchNextPage();
  }, [readsOn, fetchNextPage]);
  const words = useDeferredValue(place.words);
  const tables = useMemo(() => data?.pages.flatMap((page) => page.tables) ?? [], [data]);
  const found = useMemo(() => filterTables(tables, words), [tables, words]);
  if (error && data === undefined) return <Problem error={error} retry={() => readAgain(pages)} />;
  if (data === undefined) return <Loading what="the tables" height="24rem" />;
  if (tables.length === 0) return <NoTables overview={overview} />;
  return (
    <ListWithDetail
      place={place}
      noun="table"
      total={overview.counts.tables}
      found={hasNextPage ? tables.length : found.length}
      detail={place.open !== undefined && <TableDetail key={place.open} id={place.open} overview={overview} />}
    >
      {isFetchNextPageError && <Problem error={error} retry={() => readAgain(pages)} />}
      {found.length === 0 && <Empty title="No table has this in its name or in those of its columns." />}
      <WindowedRows label="Tables" rows={found} place={place} keyOf={({ table }) => table.id}>
        {(row) => <TableRow found={row} />}
      </WindowedRows>
    </ListWithDetail>
  );
}

function TableRow({ found: { table, columns } }: { found: FoundTable }) {
  const sensitive = table.columns.filter((column) => column.sensitive !== undefined).length;
  const facts = [
    ...(table.kind === "view" ? ["view"] : []),
    ...(table.rows === undefined ? [] : [`${table.rowsAreExact ? "" : "about "}${counted(table.rows, "row")}`]),
    counted(table.columns.length, "column"),
    ...(sensitive === 0 ? [] : [`${sensitive} sensitive`]),
    ...(table.problem === undefined ? [] : ["could not be read"]),
  ];
  return (
    <>
      <span className="row-title">
        <Name text={table.id} />
      </span>
      <span className="muted">{facts.join(", ")}</span>
      {columns.length > 0 && (
        <span className="row-more">
          in <Names of={columns.slice(0, 6)} />
          {columns.length > 6 && ` and ${columns.length - 6} more`}
        </span>
      )}
      {columns.length === 0 && table.description !== undefined && (
        <span className="row-more cut" dir="auto">
          <Name text={table.description} />
        </span>
      )}
    </>
  );
}
