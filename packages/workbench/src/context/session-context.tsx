export function SessionContext({ session }: { session: string }) {
  return <h1>SessionContext {session}</h1>;
}
