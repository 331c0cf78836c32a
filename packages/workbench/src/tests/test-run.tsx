export function TestRun({ id }: { id: string }) {
  return <h1>TestRun {id}</h1>;
}
