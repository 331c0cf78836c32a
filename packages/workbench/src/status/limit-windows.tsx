import { formatPercent, showHidden } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { useServer } from "../connection/server.tsx";
import { Mark } from "../parts/mark.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import { formatMoment } from "../text/describe-age.ts";
import { TimeAgo } from "../text/time-ago.tsx";
import { otherWindows } from "./other-windows.ts";

/** The account's usage windows that hosts have reported, and when each resets. */
export function LimitWindows() {
  const { client } = useServer();
  const { data, error, refetch } = useQuery({
    queryKey: ["limits"],
    queryFn: () => client.limits(),
    staleTime: 30_000,
  });
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the limits" height="4rem" />;
  const { usedUp, windows, onUsageLimit } = data;
  const others = otherWindows(windows, usedUp);
  const rest = onUsageLimit === "wait" ? "Runs wait for it." : "Runs fail until then.";
  return (
    <>
      {usedUp === null && others.length === 0 && (
        <p className="muted">No host has warned of a limit in the newest runs.</p>
      )}
      <ul className="checks">
        {usedUp !== null && (
          <li>
            <Mark kind="bad" label="used up" />
            <p>
              {showHidden(usedUp.window)} of {usedUp.backend} is used up, and opens again at{" "}
              {formatMoment(new Date(usedUp.resetsAt))}. {rest}
            </p>
          </li>
        )}
        {others.map(({ backend, window, resetsAt, utilization, isUsedUp, at }) => (
          <li key={`${backend} ${window}`}>
            <Mark kind={isUsedUp ? "bad" : "warn"} label={isUsedUp ? "used up" : "nearly used up"} />
            <p>
              {showHidden(window)} of {backend}
              {utilization !== null && `, ${formatPercent(utilization)} used`}
              {resetsAt === null ? "" : `, opens again at ${formatMoment(new Date(resetsAt))}`}{" "}
              <span className="muted">
                as the host reported <TimeAgo at={at} />
              </span>
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
