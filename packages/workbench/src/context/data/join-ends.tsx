import type { ApiJoins } from "@bridle/client";
import { showHidden } from "@bridle/protocol/text";
import { Name, Names } from "./name.tsx";

type Join = ApiJoins["joins"][number];

/** The ends of a join: `shop.main.orders.customer_id → shop.main.customers.id` */
export function JoinEnds({ join: { from, to, condition } }: { join: Join }) {
  return (
    <span className="join-ends">
      <End end={from} /> → <End end={to} />
      {condition !== undefined && ` if ${showHidden(condition, "")}`}
    </span>
  );
}

function End({ end: { table, columns } }: { end: Join["from"] }) {
  const [first = ""] = columns;
  if (columns.length === 1) {
    return (
      <>
        <Name text={table} />.<wbr />
        <Name text={first} />
      </>
    );
  }
  return (
    <>
      <Name text={table} /> (<Names of={columns} />)
    </>
  );
}
