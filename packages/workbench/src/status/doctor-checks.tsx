import { useQuery } from "@tanstack/react-query";
import { useServer } from "../connection/server.tsx";
import { Mark } from "../parts/mark.tsx";
import { Loading, Problem } from "../parts/states.tsx";

/** The checks of `bridle doctor`, each with its remedy. */
export function DoctorChecks() {
  const { client } = useServer();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["doctor"],
    queryFn: () => client.doctor(),
    staleTime: 60_000,
  });
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the checks" height="10rem" />;
  return (
    <>
      <ul className="checks">
        {data.checks.map(({ id, title, ok, detail, remedy }) => (
          <li key={id}>
            <Mark
              kind={ok === "skipped" ? "off" : ok ? "ok" : "bad"}
              label={ok === "skipped" ? "skipped" : ok ? "works" : "does not work"}
            />
            <div>
              <span>{title}</span> <span className="muted check-detail">{detail}</span>
              {remedy !== undefined && ok !== true && <p>{remedy}</p>}
            </div>
          </li>
        ))}
      </ul>
      <button type="button" disabled={isFetching} onClick={() => void refetch()}>
        {isFetching ? "Checking …" : "Check again"}
      </button>
    </>
  );
}
