export function DataContext() {
  return <h1>DataContext</h1>;
}
