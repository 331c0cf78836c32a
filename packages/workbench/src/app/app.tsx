import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Router } from "wouter";
import { keepToken, readToken, takeTokenFromAddress } from "../connection/access-token.ts";
import { basePath } from "../connection/base-path.ts";
import { queries, ServerProvider } from "../connection/server.tsx";
import { KeyboardProvider } from "../keys/keyboard.tsx";
import { Palette } from "../keys/palette.tsx";
import { AccessForm } from "./access-form.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Pages } from "./pages.tsx";
import { Shell } from "./shell.tsx";

takeTokenFromAddress(); // before other code can read or copy the URL

export function App() {
  const [token, setToken] = useState(readToken);
  const enter = (pasted: string) => {
    keepToken(pasted);
    queries.clear();
    setToken(readToken());
  };
  useEffect(() => {
    const take = () => {
      takeTokenFromAddress(); // a new link was pasted over the old one
      setToken(readToken());
    };
    addEventListener("hashchange", take);
    return () => removeEventListener("hashchange", take);
  }, []);
  if (token === undefined) return <AccessForm reason="missing" onEnter={enter} />;
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queries}>
        <ServerProvider token={token}>
          <KeyboardProvider>
            <Router base={basePath}>
              <Shell onToken={enter}>
                <Pages />
              </Shell>
              <Palette />
            </Router>
          </KeyboardProvider>
        </ServerProvider>
      </QueryClientProvider>
    </ErrorBoundary>
  );
}
