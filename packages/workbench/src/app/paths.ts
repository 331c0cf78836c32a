/** The addresses of views, for links. */
export const paths = {
  home: "/",
  inbox: "/inbox",
  tests: "/tests",
  documents: "/documents",
  context: "/context",
  rules: "/rules",
  status: "/status",
  agent: (agent: string) => `/agents/${encodeURIComponent(agent)}`,
  session: (session: string) => `/s/${encodeURIComponent(session)}`,
  sessionContext: (session: string) => `/context/${encodeURIComponent(session)}`,
  run: (session: string, run: string, at?: number) =>
    `/s/${encodeURIComponent(session)}/runs/${encodeURIComponent(run)}${at === undefined ? "" : `?at=${at}`}`,
  testRun: (id: string) => `/tests/${encodeURIComponent(id)}`,
  compare: (a: string, b: string) => `/tests/compare?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`,
};
