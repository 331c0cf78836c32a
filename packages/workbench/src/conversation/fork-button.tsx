import { useMutation } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { paths } from "../addresses/paths.ts";
import { useServer } from "../connection/server.tsx";

/** Starts another session with the history up to a step. */
export function ForkButton({ session, step }: { session: string; step: number }) {
  const { client } = useServer();
  const [, go] = useLocation();
  const fork = useMutation({
    mutationFn: () => client.fork(session, { atStep: step }),
    onSuccess: ({ id }) => go(paths.session(id)),
  });
  return (
    <span className="fork">
      <button type="button" className="quiet" disabled={fork.isPending} onClick={() => fork.mutate()}>
        Go on from here in a new session
      </button>
      {fork.error && (
        <span role="alert" className="line-problem">
          {fork.error.message}
        </span>
      )}
    </span>
  );
}
