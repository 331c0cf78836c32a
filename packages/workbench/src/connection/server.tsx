import { BridleClient, BridleRequestError } from "@bridle/client";
import { QueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useMemo } from "react";
import { basePath } from "./base-path.ts";
import { LiveConnection } from "./live-connection.ts";

/** The server that served this page. */
export interface Server {
  readonly client: BridleClient;
  readonly live: LiveConnection;
}

const ServerContext = createContext<Server | undefined>(undefined);

export function ServerProvider({ token, children }: { token: string; children: ReactNode }) {
  const server = useMemo(() => {
    const url = location.origin + basePath;
    return { client: new BridleClient({ url, token }), live: new LiveConnection({ url, token }) };
  }, [token]);
  return <ServerContext value={server}>{children}</ServerContext>;
}

export function useServer(): Server {
  const server = useContext(ServerContext);
  if (server === undefined) throw new Error("This part of the page is outside of ServerProvider.");
  return server;
}

/** Whether to retry a request. Rejected requests are not retried. After other failures, the server may soon be reachable again. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => !(error instanceof BridleRequestError) && failures < 2,
      networkMode: "always", // the server may run on this machine, so the browser's offline state is ignored
    },
    mutations: { networkMode: "always" },
  },
});
