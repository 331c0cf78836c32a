import { Empty } from "../parts/states.tsx";

/** What agents know about the data of the project. The server does not tell it yet, so the page says where to read it. */
export function DataContext() {
  return (
    <Empty
      title="The data context is read in the terminal."
      commands={["npx bridle context status", "npx bridle context joins", "npx bridle metrics list"]}
    >
      <p>This page does not show tables, joins, metrics and pages yet. These commands do.</p>
    </Empty>
  );
}
