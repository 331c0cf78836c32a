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
  /** What is in the context window now, or was at an event. */
  sessionContext: (session: string, at?: number) => `/context/${encodeURIComponent(session)}${placeOf(at)}`,
  run: (session: string, run: string, at?: number) =>
    `/s/${encodeURIComponent(session)}/runs/${encodeURIComponent(run)}${placeOf(at)}`,
  testRun: (id: string) => `/tests/${encodeURIComponent(id)}`,
  compare: (a: string, b: string) => `/tests/compare?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`,
};

function placeOf(at: number | undefined): string {
  return at === undefined ? "" : `?at=${at}`;
}

/** Whether a location is the view of a path, or one below it. */
export function isWithin(location: string, path: string): boolean {
  return location === path || location.startsWith(`${path}/`);
}
