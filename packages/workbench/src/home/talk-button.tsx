import { useMutation } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { paths } from "../addresses/paths.ts";
import { useServer } from "../connection/server.tsx";

/** Starts a session with an agent. */
export function TalkButton({ agent }: { agent: string }) {
  const { client } = useServer();
  const [, go] = useLocation();
  const begin = useMutation({
    mutationFn: () => client.createSession({ agent }),
    onSuccess: ({ id }) => go(paths.session(id)),
  });
  return (
    <div>
      <button type="button" className="primary" disabled={begin.isPending} onClick={() => begin.mutate()}>
        Talk
      </button>
      {begin.error && (
        <p role="alert" className="line-problem">
          {begin.error.message}
        </p>
      )}
    </div>
  );
}
