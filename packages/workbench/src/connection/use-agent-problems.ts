import { useQuery } from "@tanstack/react-query";
import { useServer } from "./server.tsx";

/** Returns the current problems with agent files, by agent id. */
export function useAgentProblems(): ReadonlyMap<string, string> {
  const { client } = useServer();
  const { data } = useQuery({
    queryKey: ["agents", "checks"],
    queryFn: () => client.agentChecks(),
    staleTime: 30_000,
    refetchInterval: 60_000,
  });
  return new Map(data?.agents.flatMap(({ id, ok, problem }) => (ok ? [] : [[id, problem ?? "not valid"] as const])));
}
