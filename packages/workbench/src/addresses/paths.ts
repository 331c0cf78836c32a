/** The URLs of views, for links. */
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
  /** The content of the context window, now or at an event. */
  sessionContext: (session: string, at?: number) => withSearch(`/context/${encodeURIComponent(session)}`, { at }),
  run: (session: string, run: string, at?: number) =>
    withSearch(`/s/${encodeURIComponent(session)}/runs/${encodeURIComponent(run)}`, { at }),
  testRun: (id: string) => `/tests/${encodeURIComponent(id)}`,
  compare: (a: string, b: string) => withSearch("/tests/compare", { a, b }),
};

/** Returns the query parameters of a URL. Empty and missing values are omitted. */
export type SearchValues = Readonly<Record<string, string | number | undefined>>;

export function withSearch(path: string, values: SearchValues): string {
  const search = `${withValues(new URLSearchParams(), values)}`;
  return search === "" ? path : `${path}?${search}`;
}

/** Sets these query parameters and keeps the others. */
export function withValues(search: URLSearchParams, values: SearchValues): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value = ""] of Object.entries(values)) {
    if (value === "") next.delete(name);
    else next.set(name, `${value}`);
  }
  return next;
}

/** Whether a location shows the view of a path, or a view below it. */
export function isWithin(location: string, path: string): boolean {
  return location === path || location.startsWith(`${path}/`);
}
