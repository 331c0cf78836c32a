import type { ApiDataContext, ApiMetrics } from "@bridle/client";
import { counted } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo } from "react";
import { useServer } from "../../connection/server.tsx";
import { Empty, Loading, Problem } from "../../parts/states.tsx";
import { filterModels } from "../data/filter-rows.ts";
import { ListWithDetail } from "../data/list-with-detail.tsx";
import { Name } from "../data/name.tsx";
import { NoMetrics } from "../data/nothing-yet.tsx";
import { useContextPlace } from "../data/use-place.ts";
import { WindowedRows } from "../data/windowed-rows.tsx";
import { ModelDetail } from "./model-detail.tsx";

/** The metric models. */
export function MetricsView({ overview }: { overview: ApiDataContext }) {
  const { client } = useServer();
  const place = useContextPlace();
  const { data, error, refetch } = useQuery({
    queryKey: ["data-context", "metrics"],
    queryFn: () => client.metrics(),
    staleTime: 60_000,
  });
  const words = useDeferredValue(place.words);
  const found = useMemo(() => filterModels(data?.models ?? [], words), [data, words]);
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the metrics" height="24rem" />;
  if (data.models.length === 0) return <NoMetrics overview={overview} />;
  const model = data.models.find(({ name }) => name === place.open);
  return (
    <ListWithDetail
      place={place}
      noun="model"
      total={data.models.length}
      found={found.length}
      detail={<ModelDetail key={place.open} model={model} name={place.open ?? ""} place={place} />}
    >
      {found.length === 0 && <Empty title="No model, measure or dimension has this in its name." />}
      <WindowedRows label="Models" rows={found} place={place} keyOf={({ name }) => name}>
        {(each) => <ModelRow model={each} />}
      </WindowedRows>
    </ListWithDetail>
  );
}

function ModelRow({ model }: { model: ApiMetrics["models"][number] }) {
  const { name, measures, dimensions, description } = model;
  return (
    <>
      <span className="row-title">
        <Name text={name} />
      </span>
      <span className="muted">
        {counted(measures.length, "measure")}, {counted(dimensions.length, "dimension")}
      </span>
      {description !== undefined && (
        <span className="row-more cut" dir="auto">
          <Name text={description} />
        </span>
      )}
    </>
  );
}
