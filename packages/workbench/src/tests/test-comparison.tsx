export function TestComparison() {
  return <h1>TestComparison</h1>;
}
