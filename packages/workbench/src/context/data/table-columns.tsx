import type { ApiTable } from "@bridle/client";
import { counted, formatCount, formatPercent, showHidden } from "@bridle/protocol/text";
import { useState } from "react";
import { WideTable } from "../../parts/wide-table.tsx";
import { describeValues } from "./describe-values.ts";
import { Name } from "./name.tsx";

type Column = ApiTable["columns"][number];

/** The number of columns to show at once. Some tables have more than a thousand. */
const columnsAtOnce = 60;

export function TableColumns({ columns }: { columns: readonly Column[] }) {
  const [max, setMax] = useState(columnsAtOnce);
  return (
    <section aria-label="Columns">
      <h3>{counted(columns.length, "column")}</h3>
      <WideTable label="Columns of the table">
        <table className="columns-table">
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Type</th>
              <th scope="col" className="number">
                Empty
              </th>
              <th scope="col" className="number">
                Different
              </th>
              <th scope="col" className="wide-only">
                Values
              </th>
            </tr>
          </thead>
          <tbody>
            {columns.slice(0, max).map((column) => (
              <ColumnRow key={column.name} column={column} />
            ))}
          </tbody>
        </table>
      </WideTable>
      {columns.length > max && (
        <button type="button" onClick={() => setMax(max + columnsAtOnce * 5)}>
          Show more of {formatCount(columns.length)} columns
        </button>
      )}
    </section>
  );
}

function ColumnRow({ column }: { column: Column }) {
  const { name, nativeType, nullable, sensitive, profile, description } = column;
  const values =
    sensitive === undefined ? (
      <bdi>{showHidden(describeValues(profile), "")}</bdi>
    ) : (
      <span className="sensitive">sensitive: {showHidden(sensitive, "")}</span>
    );
  return (
    <tr>
      <th scope="row">
        <Name text={name} />
        {description !== undefined && (
          <span className="column-description" dir="auto">
            {showHidden(description.text)} ({showHidden(description.source)})
          </span>
        )}
        <span className="narrow-only muted">{values}</span>
      </th>
      <td>
        <span className="id">{showHidden(nativeType, "")}</span>
        {!nullable && <span className="muted"> required</span>}
      </td>
      <td className="number">
        {profile !== undefined && profile.rows > 0 && formatPercent(profile.nulls / profile.rows)}
      </td>
      <td className="number">{profile !== undefined && formatCount(profile.distinct)}</td>
      <td className="wide-only">{values}</td>
    </tr>
  );
}
