export function Documents() {
  return <h1>Documents</h1>;
}
