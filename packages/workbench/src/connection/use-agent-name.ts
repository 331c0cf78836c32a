import { useQuery } from "@tanstack/react-query";
import { useServer } from "./server.tsx";

/** Returns the agent's name in its file. Until the file is loaded, returns the id in the URL. */
export function useAgentName(id: string): string;
export function useAgentName(id: string | null | undefined): string | undefined;
export function useAgentName(id: string | null | undefined): string | undefined {
  const { client } = useServer();
  const { data } = useQuery({ queryKey: ["agents"], queryFn: () => client.agents(), staleTime: 60_000 });
  return data?.agents.find((agent) => agent.id === id)?.name ?? id ?? undefined;
}
