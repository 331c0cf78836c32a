export function Status() {
  return <h1>Status</h1>;
}
