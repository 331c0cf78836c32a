import { showHidden } from "@bridle/protocol/text";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useServer } from "../connection/server.tsx";
import { Copyable } from "../parts/copyable.tsx";
import { Mark } from "../parts/mark.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import { TimeAgo } from "../text/time-ago.tsx";

const command = "npx bridle doctor --boundary";

/**
 * Shows whether the model gets only the content that was passed to it: the newest proof of this server, and a button to run another proof.
 */
export function BoundaryProof({ canProve }: { canProve: boolean }) {
  const { client } = useServer();
  const queries = useQueryClient();
  const queryKey = ["boundary"];
  const { data, error, refetch } = useQuery({ queryKey, queryFn: () => client.boundary(), staleTime: 60_000 });
  const prove = useMutation({
    mutationFn: () => client.proveBoundary(),
    onSuccess: (proof) => queries.setQueryData(queryKey, proof),
  });
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the proof" height="6rem" />;
  const { at, check } = data;
  return (
    <>
      {at === null || check === null ? (
        <p className="muted">This server has not proved yet that the model gets only the input of a run.</p>
      ) : (
        <ul className="checks">
          <li>
            <Mark
              kind={check.ok === "skipped" ? "off" : check.ok ? "ok" : "bad"}
              label={check.ok === "skipped" ? "not proved" : check.ok ? "proved" : "broken"}
            />
            <div>
              <p>
                {showHidden(check.detail)}{" "}
                <span className="muted">
                  <TimeAgo at={at} />
                </span>
              </p>
              {check.remedy !== undefined && check.ok !== true && <p>{showHidden(check.remedy)}</p>}
            </div>
          </li>
        </ul>
      )}
      <div className="actions">
        {canProve && (
          <button type="button" disabled={prove.isPending} onClick={() => prove.mutate()}>
            {prove.isPending ? "Proving, on a rehearsed model …" : "Prove it now"}
          </button>
        )}
        <Copyable text={command} label="command">
          <code>{command}</code>
        </Copyable>
      </div>
      {prove.error && <Problem error={prove.error} />}
    </>
  );
}
