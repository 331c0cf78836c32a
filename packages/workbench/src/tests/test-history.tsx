export function TestHistory() {
  return <h1>TestHistory</h1>;
}
