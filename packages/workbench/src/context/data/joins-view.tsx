import type { ApiDataContext, ApiJoins } from "@bridle/client";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo } from "react";
import { useServer } from "../../connection/server.tsx";
import { Mark } from "../../parts/mark.tsx";
import { Empty, Loading, Problem } from "../../parts/states.tsx";
import { describeJoin } from "./describe-join.ts";
import { filterJoins } from "./filter-rows.ts";
import { JoinDetail } from "./join-detail.tsx";
import { JoinEnds } from "./join-ends.tsx";
import { ListWithDetail } from "./list-with-detail.tsx";
import { NoJoins } from "./nothing-yet.tsx";
import { useContextPlace } from "./use-place.ts";
import { WindowedRows } from "./windowed-rows.tsx";

type Join = ApiJoins["joins"][number];

/** All joins, the most reliable first. */
export function JoinsView({ overview }: { overview: ApiDataContext }) {
  const { client } = useServer();
  const place = useContextPlace();
  const { data, error, refetch } = useQuery({
    queryKey: ["data-context", "joins"],
    queryFn: () => client.joins(),
    staleTime: 60_000,
  });
  const words = useDeferredValue(place.words);
  const onlyReview = place.get("review") !== undefined;
  const found = useMemo(() => filterJoins(data?.joins ?? [], words, onlyReview), [data, words, onlyReview]);
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the joins" height="24rem" />;
  if (data.joins.length === 0) return <NoJoins overview={overview} />;
  const filter = (
    <label className="check">
      <input
        type="checkbox"
        checked={onlyReview}
        onChange={({ target }) => place.set({ review: target.checked ? "yes" : undefined })}
      />
      only to review
    </label>
  );
  return (
    <ListWithDetail
      place={place}
      noun="join"
      total={data.joins.length}
      found={found.length}
      filters={filter}
      detail={<JoinDetail join={data.joins.find(({ id }) => id === place.open)} id={place.open ?? ""} />}
    >
      {found.length === 0 && <Empty title="No join is so." />}
      <WindowedRows label="Joins" rows={found} place={place} keyOf={({ id }) => id}>
        {(join) => <JoinRow join={join} />}
      </WindowedRows>
    </ListWithDetail>
  );
}

function JoinRow({ join }: { join: Join }) {
  const isOpen = join.status === "review";
  return (
    <>
      <span className="row-title">
        <Mark kind={isOpen ? "waiting" : "ok"} label={isOpen ? "to review" : "used by agents"} />
        <JoinEnds join={join} />
      </span>
      <span className="muted">{describeJoin(join)}</span>
    </>
  );
}
